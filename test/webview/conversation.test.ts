import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { bash, json } from './asks/asksPage';
import { becomes, eventually } from './eventually';
import { manyRows, messageRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { approval, rowsOf, simpleTurn } from './recordedSessions';
import { pictureThemes, usePages } from './webviewPage';

const threads = [
  { id: 'main', name: 'Main', isPrimary: true, status: 'idle', waiting: 1, archived: false },
  { id: 'thread_2', name: 'Link checker', isPrimary: false, status: 'idle', waiting: 0, archived: false },
];
const cost = { cost: { cents: 2, currency: 'USD' }, budget: { cents: 50, currency: 'USD' } };
const done = { state: 'idle', rest: { kind: 'done' }, ...cost } as const;
const asking = { ...bash, rowKey: 'deploy', input: json({ command: './deploy.sh staging' }) };
const prices = { currency: 'USD', models: [['model-small', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1 }]] } as const;

/** Window sizes: 1,440 by 900, a laptop, and 1,440 by 900 at 200 %. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
] as const;

describe('webview/session/conversation', () => {
  usePages();
  let panel: PanelPage;
  const rows = () => panel.page.getByRole('article').count();
  const select = () => panel.page.getByRole('combobox', { name: 'Show' });

  it('shows a simple turn with four tool calls in six rows, and everything on request', async () => {
    panel = await PanelPage.open();
    await panel.show(rowsOf(simpleTurn), { view: viewOf(done), prices });
    await becomes(rows, 6);
    const said = (await panel.page.locator('.row-tool').allInnerTexts()).map(words => words.replace(/\s+/g, ' '));
    assert.deepEqual(said, [
      'glob docs/**/*.md done · 1.4 s · 2.1K tokens · $0.0025 9:30:01 AM',
      'grep old.example.com, path: docs done · 1.4 s · 2.4K tokens · $0.0028 9:30:04 AM',
      'read docs/a.md, offset: 1, limit: 20 done · 1.4 s · 2.7K tokens · $0.003 9:30:07 AM',
      'bash grep -rn old.example.com src | wc -l done · 1.4 s · 3K tokens · $0.0034 9:30:10 AM',
    ]);
    await select().selectOption('Everything');
    await becomes(rows, rowsOf(simpleTurn).length);
    const kept = await panel.kept();
    panel = await PanelPage.open({ kept });
    await panel.show(rowsOf(simpleTurn));
    await becomes(rows, rowsOf(simpleTurn).length);
    await select().selectOption('Errors only (0)');
    await panel.page.getByText('Nothing to show').waitFor();
  });

  it('keeps of an answered approval only the time it waited', async () => {
    panel = await PanelPage.open();
    await panel.show(rowsOf(approval(true)), { view: viewOf({ ...done, threads }) });
    await becomes(rows, 8);
    await panel.row('./deploy.sh staging').getByText('waited 27 s').waitFor();
    await panel.row('Thought for 1 s').waitFor();
    await becomes(() => panel.page.locator('.row-status, .row-usage, .row-model').count(), 0);
  });

  it('counts errors once, and can show them alone', async () => {
    panel = await PanelPage.open();
    const error = {
      kind: 'error',
      type: 'session.error',
      summary: 'x',
      errorType: 'x',
      message: 'Too long.',
      key: 'e',
      seq: 200,
      at: 0,
    } as const;
    await panel.show([...manyRows(200), error]);
    await select().selectOption('Errors only (1)');
    await becomes(rows, 1);
    // Only the filter shows the number of errors.
    await becomes(async () => (await panel.page.locator('main').innerText()).match(/error/gi)?.length, 1);
  });

  it('shows a hidden row when it is revealed', async () => {
    panel = await PanelPage.open();
    await panel.show(rowsOf(simpleTurn));
    await panel.post({ type: 'reveal', thread: '', key: 'span_2' });
    await panel.page.locator('article.isMarked', { hasText: 'Model request' }).waitFor();
    await becomes(() => select().inputValue(), 'everything');
  });

  it('keeps the scroll position while hidden rows arrive', async () => {
    panel = await PanelPage.open();
    await panel.show(manyRows(300));
    await panel.wheel(-600);
    const [first] = await panel.places();
    const [, running] = rowsOf(simpleTurn);
    assert.equal(running?.kind, 'status');
    await panel.post({
      type: 'amend',
      thread: '',
      splices: [{ at: 300, remove: 0, rows: [{ ...running, key: 'r' }, messageRow(305, 'new')] }],
    });
    await panel.rendered();
    await becomes(async () => (await panel.places())[0], first);
    await panel.page.getByRole('button', { name: '1 New' }).click();
    await panel.row('new').waitFor();
  });

  for (const { width, height } of sizes) {
    for (const theme of pictureThemes) {
      it(`has a calm layout at ${width} by ${height}, in ${theme}`, async () => {
        panel = await PanelPage.open({ width, height, theme });
        await panel.show(rowsOf(simpleTurn), { view: viewOf(done), prices });
        await becomes(rows, 6);
        await panel.screenshot(`calm-turn-${width}-${theme}`);
        await panel.show(rowsOf(approval(false)), { view: viewOf({ ...cost, state: 'waiting', threads, asks: [asking] }), prices });
        const allow = panel.page.getByRole('button', { name: 'Allow (A)' });
        await eventually(async () => {
          const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { y: height, height: 0 };
          const button = await boxOf(allow);
          assert.ok((await boxOf(panel.page.locator('.header'))).height <= 32);
          assert.ok((await boxOf(panel.page.locator('.toolbar'))).height <= 34);
          assert.ok((await boxOf(panel.list)).height >= height / 2 - 1);
          assert.ok(button.y + button.height <= height, JSON.stringify(button));
        });
        await becomes(() => panel.page.getByRole('textbox', { name: 'Message to the agent' }).count(), height < 640 ? 0 : 1);
        const said = () => panel.page.locator('main').innerText();
        await becomes(async () => (await said()).match(/needs (?:you|approval)|waits for|idle/gi), ['Needs approval']);
        await panel.screenshot(`calm-ask-${width}-${theme}`);
        await panel.show(manyRows(20_000), { view: viewOf(cost) });
        await panel.row('Message 19995').waitFor();
        await panel.screenshot(`calm-many-${width}-${theme}`);
      });
    }
  }
});
