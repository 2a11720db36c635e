import assert from 'node:assert/strict';
import type { Ask } from '../../../src/shared/session/openAsks';
import { becomes, eventually } from '../eventually';
import { manyRows, toolRow, viewOf } from '../panelFixtures';
import { usePages } from '../webviewPage';
import { AsksPage, bash, json } from './asksPage';

describe('webview/controls/asks/arguments', () => {
  usePages();

  it('allows only what was loaded completely', async () => {
    const panel = await AsksPage.with([{ ...bash, input: { type: 'json', text: '{"command":"ls', cut: 2_000_000 } }]);
    await panel.page.getByText('Only the start of this text is shown.').waitFor();
    await panel.stays(() => panel.posted('loadPart'), []);
    await panel.settled();
    await becomes(() => panel.button('Allow (A)').isDisabled(), true);
    await panel.page.locator('.ask').focus();
    await panel.page.keyboard.press('a');
    await panel.stays(() => panel.posted('confirm'), []);
    await panel.screenshot('asks-cut');
    await panel.press('Load All');
    await becomes(() => panel.posted('loadPart'), [{ type: 'loadPart', thread: '', key: 'sevt_ask', path: 'ask' }]);
    const part = { type: 'part', thread: '', key: 'sevt_ask', path: 'ask' } as const;
    await panel.post({ ...part, text: '', problem: 'not found' });
    await panel.page.getByText("Couldn't load the arguments: not found").waitFor();
    await becomes(() => panel.button('Allow (A)').isDisabled(), true);
    await panel.press('Try Again');
    await panel.post({ ...part, text: '{"command":"ls -la"}' });
    await panel.page.getByText('ls -la').waitFor();
    await panel.press('Allow (A)');
    await becomes(async () => (await panel.posted('confirm')).length, 1);
  });

  it('loads changed arguments again', async () => {
    const cut = (text: string): Ask => ({ ...bash, input: { type: 'json', text, cut: 5000 } });
    const part = { type: 'part', thread: '', key: 'sevt_ask', path: 'ask' } as const;
    const panel = await AsksPage.with([cut('{"command":"ls')]);
    await panel.post({ ...part, text: '{"command":"ls -la"}' });
    await panel.page.getByText('ls -la').waitFor();
    await panel.amend([cut('{"command":"rm')]);
    await panel.page.getByText('Only the start of this text is shown.').waitFor();
    await becomes(() => panel.button('Allow (A)').isDisabled(), true);
    await becomes(async () => (await panel.posted('loadPart')).length, 2);
    await panel.post({ ...part, text: '{"command":"rm -rf build"}' });
    await panel.page.getByText('rm -rf build').waitFor();
    await becomes(() => panel.page.getByText('ls -la').count(), 0);
    await panel.press('Allow (A)');
    await becomes(async () => (await panel.posted('confirm')).length, 1);
  });

  it('loads short arguments automatically, and those that the log lacks', async () => {
    const panel = await AsksPage.with([
      { ...bash, input: { type: 'json', text: '', cut: 1 } },
      { ...bash, eventId: 'sevt_2', input: { type: 'json', text: '{', cut: 5000 } },
    ]);
    await panel.page.getByText("The arguments aren't available.").waitFor();
    await panel.press('Next');
    await panel.page.getByText('Only the start of this text is shown.').waitFor();
    await panel.settled();
    await becomes(async () => (await panel.posted('loadPart')).map(({ key }) => key), ['sevt_ask', 'sevt_2']);
  });

  it('shows all of 2 MB in one line, with a limited page', async () => {
    const panel = await AsksPage.with([{ ...bash, tool: 'x', input: { type: 'json', text: '{', cut: 2_000_000 } }]);
    await panel.post({
      type: 'part',
      thread: '',
      key: 'sevt_ask',
      path: 'ask',
      text: `{"a":"${'word\u202e '.repeat(320_000)}the very end"}`,
    });
    await panel.rendered();
    await panel.page.getByText('More below').waitFor();
    await panel.page.waitForFunction(() => {
      const box = document.querySelector('.ask-arguments');
      // Laying out text near the end changes the total height.
      box?.scrollTo(0, box.scrollHeight);
      return box?.textContent.includes('the very end') === true && document.querySelector('.ask-more') === null;
    });
    await eventually(async () => assert.ok((await panel.page.locator('.ask-arguments *').count()) < 4000));
    await panel.button('Allow (A)').waitFor();
  });

  it("shows invisible characters, and a call's file change", async () => {
    const panel = await AsksPage.with([
      { ...bash, input: json({ command: 'echo safe\u202e\u200b\u001b[8m; rm -rf /' }) },
      { ...bash, eventId: 'sevt_2', tool: 'edit', input: json({ file_path: '/a.md', old_string: 'one\ntwo', new_string: 'one\nthree' }) },
    ]);
    await eventually(async () => {
      const shown = await panel.page.locator('.ask-code').first().innerText();
      for (const name of ['202E', '200B', 'ESC']) {
        assert.ok(shown.includes(name), shown);
      }
      assert.ok(!shown.includes('\u202e'));
    });
    await panel.press('Next');
    await becomes(() => panel.page.locator('.ask-line').allInnerTexts(), ['one', '-\nRemoved:\ntwo', '+\nAdded:\nthree']);
    await panel.choose('Show as JSON');
    await panel.page.getByText('"old_string"').waitFor();
  });

  it("opens a call's change in the diff editor, if its arguments contain it", async () => {
    const panel = await AsksPage.with([
      bash,
      { ...bash, eventId: 'sevt_2', tool: 'edit', input: json({ file_path: '/a.md', old_string: 'one', new_string: 'two' }) },
    ]);
    await panel.page.locator('.ask').getByRole('button', { name: 'More' }).click();
    await panel.page.getByRole('menuitem', { name: 'Open in Editor' }).waitFor();
    await becomes(() => panel.page.getByRole('menuitem', { name: 'Open Change' }).count(), 0);
    await panel.page.keyboard.press('Escape');
    await panel.press('Next');
    await panel.choose('Open Change');
    await becomes(() => panel.posted('openAskedChange'), [{ type: 'openAskedChange', eventId: 'sevt_2' }]);
  });

  it('opens the arguments in an editor, and goes to the call in the timeline', async () => {
    const panel = await AsksPage.with([]);
    await panel.show([toolRow(1, { key: 'sevt_call', state: 'waiting' }), ...manyRows(100, 2)], { view: viewOf({ asks: [bash] }) });
    await panel.choose('Open in Editor');
    await becomes(() => panel.posted('openPart'), [{ type: 'openPart', thread: '', key: 'sevt_ask', path: 'ask' }]);
    await panel.choose('Show in Timeline');
    await panel.page.locator('.timeline :focus', { hasText: 'ls -la' }).first().waitFor();
  });
});
