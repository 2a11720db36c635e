import assert from 'node:assert/strict';
import { AsksPage, bash, custom, json } from './asks/asksPage';
import { becomes, eventually } from './eventually';
import { asked, entry, InboxPage } from './inbox/inboxPage';
import { manyRows, viewOf } from './panelFixtures';
import { pictureThemes, usePages } from './webviewPage';

/** Sizes of the panel, in pixels, for small and zoomed windows. */
const places = [
  { width: 720, height: 400 },
  { width: 500, height: 340 },
  { width: 360, height: 400 },
  { width: 250, height: 400 },
] as const;

const long = { ...bash, input: json({ command: Array.from({ length: 200 }, (_, line) => `echo ${line}`).join('\n') }) };

describe('webview/session/room', () => {
  usePages();

  for (const [index, { width, height }] of places.entries()) {
    // The widest and the narrowest run in every tier.
    const isBetween = index > 0 && index < places.length - 1;
    it(`keeps answer and message fields visible at ${width} by ${height}${isBetween ? ' @ci' : ''}`, async () => {
      for (const asks of [[long], [custom], [long, custom, bash]]) {
        const panel = await AsksPage.with(asks, { width, height });
        await panel.show(manyRows(30), { view: viewOf({ state: 'waiting', asks }) });
        const inside = async (name: string): Promise<void> =>
          await eventually(async () => {
            const box = await panel.page.getByRole('textbox', { name, exact: true }).or(panel.button(name)).first().boundingBox();
            assert.ok(box !== null && box.height > 10 && box.y >= 0 && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`);
            assert.ok(box.x >= 0 && box.x + box.width <= width, `${name}: ${JSON.stringify(box)}`);
          });
        await panel.settled();
        const answer = asks[0]?.kind === 'customTool' ? 'From File...' : 'Deny (D)';
        await panel.button(answer).focus();
        await inside(answer);
        assert.ok(await coversNothing(panel, answer));
        // While an ask is open, its card replaces the composer.
        await becomes(() => panel.page.getByRole('textbox', { name: 'Message to the agent' }).count(), 0);
        await panel.screenshot(`room-${width}-${asks[0]?.kind}-${asks.length}`);
        await panel.amend([]);
        await inside('Message to the agent');
        await inside('Send');
      }
    });
  }
});

describe('webview/inbox in a small window', () => {
  usePages();

  for (const theme of pictureThemes) {
    it(`keeps the answer buttons visible, in ${theme}`, async () => {
      const entries = [entry('a', { ask: { ...long, eventId: 'a' } }), entry('b', { ask: { ...custom, eventId: 'b' } })];
      const inbox = await InboxPage.open({ theme });
      await inbox.show(entries, { questions: [asked('q', `${'I looked at it.\n'.repeat(40)}\nWhich branch?`)], newest: 200 });
      for (const { width, height } of places) {
        await inbox.page.setViewportSize({ width, height });
        await inbox.rendered();
        for (const [item, answer] of [
          ['a', 'Deny (D)'],
          ['b', 'From File...'],
          ['q', 'Dismiss (N)'],
        ] as const) {
          await inbox.page.locator('.inbox-item', { hasText: `Session of ${item}` }).click();
          // A new card can't be answered or focused for a moment.
          await eventually(async () => {
            await inbox.pass(600);
            await inbox.button(answer).focus();
            assert.ok(await coversNothing(inbox, answer), `${answer} at ${width}`);
          });
          await inbox.screenshot(`inbox-room-${width}-${item}-${theme}`);
          await becomes(() => inbox.page.evaluate(() => document.documentElement.scrollWidth), width);
        }
      }
    });
  }
});

/** Returns whether the middle of a button is visible and no other element covers it. */
async function coversNothing(panel: AsksPage | InboxPage, name: string): Promise<boolean> {
  return await panel.button(name).evaluate(button => {
    const { x, y, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== null && button.contains(hit);
  });
}
