import assert from 'node:assert/strict';
import type { Row } from '../../src/shared/session/rows/rows';
import { becomes, eventually } from './eventually';
import { manyRows, messageRow, toolRow } from './panelFixtures';
import { PanelPage } from './panelPage';
import { usePages } from './webviewPage';

const base = (seq: number) => ({ key: `sevt_${seq}`, seq, at: seq * 1000, summary: '' });
const running = (seq: number): Row => ({ ...base(seq), kind: 'status', type: 'session.status_running', status: 'running' });
const model = (seq: number, words = ''): Row => ({
  ...base(seq),
  ...{ kind: 'model', type: 'span.model_request_start', ended: true, isError: false, summary: words },
});

/** A simple turn: six of its nine rows are bookkeeping. */
const turn: readonly Row[] = [
  messageRow(0, 'Please look', { kind: 'user' }),
  running(1),
  model(2),
  toolRow(3),
  model(4, 'needle'),
  messageRow(5, 'Here it is'),
  { ...base(6), kind: 'usage', type: 'session.usage', tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
  { ...base(7), kind: 'status', type: 'session.status_idle', status: 'idle', stopReason: 'end_turn' },
  model(8, 'needle'),
];

describe('webview/session/folds', () => {
  usePages();
  let panel: PanelPage;
  const folds = () => panel.page.locator('.row-fold');
  const rows = () => panel.page.getByRole('article').count();

  beforeEach(async () => {
    panel = await PanelPage.open();
    await panel.show(turn);
  });

  it('shows bookkeeping as one quiet line, and unfolds it by click and by keys', async () => {
    await becomes(() => folds().allInnerTexts(), ['2 status rows', '3 status rows']);
    await becomes(rows, 6);
    // What there is is counted as it is.
    await panel.page.getByRole('button', { name: 'Model 4' }).waitFor();
    await panel.page.getByRole('button', { name: '3 status rows' }).click();
    await becomes(rows, 9);
    await becomes(() => panel.page.getByRole('button', { name: '3 status rows' }).getAttribute('aria-expanded'), 'true');
    await panel.page.keyboard.press('Home');
    await panel.page.locator('article').first().focus();
    await panel.page.keyboard.press('ArrowDown');
    await becomes(() => panel.focused(), '2 status rows, folded');
    await panel.page.keyboard.press('Enter');
    await becomes(rows, 11);
    await becomes(() => panel.focused(), '2 status rows, unfolded');
    await panel.page.keyboard.press('ArrowDown');
    await becomes(() => panel.focused(), 'Status: Running');
    await panel.page.keyboard.press('ArrowLeft');
    await becomes(() => panel.focused(), '2 status rows, folded');
    await becomes(rows, 9);
    await panel.page.keyboard.press('ArrowRight');
    await becomes(rows, 11);
  });

  it('unfolds what is searched for and what is gone to, and counts every match', async () => {
    await panel.page.getByRole('textbox', { name: 'Search the timeline' }).fill('needle');
    await eventually(async () => assert.match(await panel.page.locator('.searchCount').innerText(), /2/));
    await panel.page.getByRole('textbox', { name: 'Search the timeline' }).press('Enter');
    await panel.page.getByRole('textbox', { name: 'Search the timeline' }).press('Enter');
    await panel.page.locator('article.isMarked', { hasText: 'Model request' }).waitFor();
    await becomes(() => panel.page.locator('.searchCount').innerText(), '1 of 2');
    await panel.post({ type: 'reveal', thread: '', key: 'sevt_1' });
    await panel.page.locator('article.isMarked', { hasText: 'Running' }).waitFor();
    await becomes(() => folds().count(), 2);
    await becomes(rows, 11);
  });

  it('shows every row when told to, says so to the host for all sessions, and is told so by it', async () => {
    await panel.page.getByRole('button', { name: 'Fold Status Rows', pressed: true }).click();
    await becomes(rows, 9);
    await becomes(() => folds().count(), 0);
    await becomes(() => panel.posted('foldStatus'), [{ type: 'foldStatus', isOn: false }]);
    panel = await PanelPage.open();
    await panel.show(turn, { isFolding: false });
    await becomes(rows, 9);
    await panel.page.getByRole('button', { name: 'Fold Status Rows' }).click();
    await becomes(rows, 6);
  });

  it('shows bookkeeping that alone was asked for', async () => {
    for (const name of ['Messages 2', 'Tools 1']) {
      await panel.page.getByRole('button', { name }).click();
    }
    await becomes(() => folds().count(), 0);
    await becomes(rows, 6);
  });

  it('folds as things come, and keeps what is read in its place', async () => {
    panel = await PanelPage.open();
    const many = [...manyRows(60), ...turn.map(row => ({ ...row, key: `more ${row.key}` }))];
    await panel.show(many);
    await panel.wheel(-600);
    const [first] = await panel.places();
    const text = await panel.page.getByRole('article').nth(2).innerText();
    const top = await panel.topOf(text.split('\n')[0] ?? '');
    await panel.post({ type: 'amend', thread: '', splices: [{ at: many.length, remove: 0, rows: [running(200), model(201)] }] });
    await panel.drawn();
    await becomes(async () => (await panel.places())[0], first);
    await becomes(() => panel.topOf(text.split('\n')[0] ?? ''), top);
    await panel.page.getByRole('button', { name: '2 New Rows' }).click();
    await becomes(() => folds().last().innerText(), '5 status rows');
  });

  it('folds in a replay what had happened by then', async () => {
    panel = await PanelPage.open();
    await panel.show(turn, { isReplay: true, canWrite: false, connection: { name: 'offlineFile' } });
    await becomes(() => folds().allInnerTexts(), ['2 status rows', '3 status rows']);
    await panel.page.getByRole('slider', { name: 'Place in the session' }).fill('7');
    await becomes(() => folds().allInnerTexts(), ['2 status rows', '2 status rows']);
    await panel.page.getByRole('slider', { name: 'Place in the session' }).fill('1');
    await becomes(() => folds().count(), 0);
    await becomes(rows, 2);
  });
});
