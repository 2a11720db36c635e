import assert from 'node:assert/strict';
import type { Row } from '../../src/shared/session/rows/rows';
import type { ToWebview } from '../../src/shared/session/sessionProtocol';
import { becomes, eventually } from './eventually';
import { endStorm, startStorm } from './inPanel.mjs';
import { manyRows, messageRow, textPart, toolRow } from './panelFixtures';
import { PanelPage } from './panelPage';
import { usePages } from './webviewPage';

function amend(at: number, remove: number, rows: readonly Row[]): ToWebview {
  return { type: 'amend', thread: '', splices: [{ at, remove, rows }] };
}

describe('webview/session/timeline', () => {
  usePages();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await PanelPage.open();
  });

  it('renders at most 300 elements of 50,000 rows, and the right ones at any scroll position', async () => {
    await panel.show(manyRows(50_000));
    await panel.row('Message 49995').waitFor();
    await becomes(() => panel.row('Message 49995').getAttribute('aria-posinset'), '49996');
    await becomes(() => panel.row('Message 49995').getAttribute('aria-setsize'), '50000');
    for (const share of [0.5, 0.01, 0.9]) {
      await panel.list.evaluate((list: { scrollTop: number; scrollHeight: number }, part) => {
        list.scrollTop = list.scrollHeight * part;
      }, share);
      await panel.rendered();
      const count = await panel.page.locator('.timeline *').count();
      assert.ok(count > 50 && count <= 300, `${count} elements`);
      const places = await panel.places();
      assert.deepEqual(
        places,
        Array.from(places, (_, index) => (places[0] ?? 0) + index),
      );
      assert.ok(Math.abs((places[0] ?? 0) / 50_000 - share) < 0.03, `${places[0]} at ${share}`);
      await panel.stays(() => panel.scrollTop(), await panel.scrollTop());
    }
  });

  it('follows the end, stops when the user scrolls up, counts new rows, and returns', async () => {
    await panel.show(manyRows(200));
    await panel.post(amend(200, 0, [messageRow(200, 'The newest')]));
    await panel.row('The newest').waitFor();
    await panel.wheel(-300);
    const read = await panel.scrollTop();
    await panel.post(amend(201, 0, [messageRow(201, 'One more'), messageRow(202, 'And another')]));
    await panel.rendered();
    await panel.stays(() => panel.scrollTop(), read);
    await panel.page.getByRole('button', { name: '2 New' }).click();
    await panel.row('And another').waitFor();
    await panel.post(amend(203, 0, [messageRow(203, 'Followed again')]));
    await panel.row('Followed again').waitFor();
    await becomes(() => panel.page.getByRole('button', { name: /^[\d,]+ New$/ }).count(), 0);
    // Scrolling back to the end by hand has the same effect as the button.
    await panel.wheel(-300);
    await panel.wheel(3000);
    await panel.post(amend(204, 0, [messageRow(204, 'Again at the end')]));
    await panel.row('Again at the end').waitFor();
  });

  for (const width of [320, 500, 900]) {
    it(`never covers the time of a row, ${width} pixels wide`, async () => {
      panel = await PanelPage.open({ width });
      await panel.show(manyRows(200));
      await panel.wheel(-600);
      const pill = panel.page.getByRole('button', { name: 'Jump to Latest' });
      const [box] = await Promise.all([pill.boundingBox(), panel.list.waitFor()]);
      const times = await Promise.all((await panel.page.locator('.rowTime').all()).map(time => time.boundingBox()));
      assert.ok(box !== null && times.length > 3);
      assert.ok(box.x >= 0);
      for (const time of times) {
        assert.ok(time === null || box.x + box.width <= time.x, JSON.stringify([box, time]));
      }
    });
  }

  it('follows the end when the height of the list changes', async () => {
    await panel.show(manyRows(200));
    const problem = 'The service closed the stream. '.repeat(12);
    for (const [turn, words] of ['While it was lost', 'And again', 'And once more'].entries()) {
      const lost = { name: 'reconnecting', retryInMs: 10_000, problem } as const;
      await panel.post({ type: 'amend', thread: '', splices: [], connection: lost });
      await panel.page.getByText('Reconnecting').waitFor();
      await panel.rendered();
      await panel.page.setViewportSize({ width: 900, height: 600 + 50 * turn });
      const missed = [messageRow(200 + turn, words)];
      await panel.post({ type: 'amend', thread: '', splices: [{ at: 200 + turn, remove: 0, rows: missed }], connection: { name: 'live' } });
      await panel.row(words).waitFor();
    }
    await panel.page.setViewportSize({ width: 900, height: 900 });
    await panel.rendered();
    await panel.post(amend(203, 0, [messageRow(203, 'The newest')]));
    await panel.row('The newest').waitFor();
  });

  it('stops following during a storm, and keeps its position', async () => {
    await panel.show(manyRows(300));
    await panel.page.evaluate(startStorm, 300);
    await panel
      .row(/Storm \d+/)
      .first()
      .waitFor();
    const newRows = panel.page.getByRole('button', { name: /^[\d,]+ New$/ });
    await panel.list.hover();
    await eventually(async () => {
      await panel.page.mouse.wheel(0, -400);
      await panel.rendered();
      assert.ok(await newRows.isVisible());
    });
    await eventually(async () => panel.stays(() => panel.scrollTop(), await panel.scrollTop()));
    await panel.page.evaluate(endStorm);
    await newRows.click();
    await newRows.waitFor({ state: 'detached' });
    await eventually(async () => {
      const all = Number(await panel.row('Storm').last().getAttribute('aria-setsize'));
      assert.equal((await panel.places()).at(-1), all);
    });
  });

  it('keeps its position while rows above it change, are added and removed, and grow', async () => {
    await panel.show(manyRows(300));
    await panel.post({ type: 'reveal', thread: '', key: 'sevt_100' });
    const name = 'Message 100:';
    await panel.row(name).waitFor();
    await panel.rendered();
    const before = await panel.topOf(name);
    await panel.post(amend(0, 0, [messageRow(1000, 'Line\n\n'.repeat(50)), messageRow(1001, 'Above')]));
    await panel.rendered();
    await panel.stays(async () => Math.abs((await panel.topOf(name)) - before) <= 1, true);
    await panel.post(amend(3, 20, []));
    await panel.rendered();
    await panel.stays(async () => Math.abs((await panel.topOf(name)) - before) <= 1, true);
    // A visible row above the followed row grows.
    const place = Number(await panel.row(name).first().getAttribute('aria-posinset')) - 1;
    await panel.post(amend(place - 1, 1, [{ ...messageRow(2000, 'Grown\n\n'.repeat(30)), key: 'grown' }]));
    await panel.rendered();
    await panel.stays(async () => Math.abs((await panel.topOf(name)) - before) <= 1, true);
  });

  it('keeps a row in place when it is expanded and collapsed', async () => {
    const rows = manyRows(100);
    await panel.show([
      ...rows.slice(0, 50),
      toolRow(50, { input: { type: 'json', text: '{"command":"cat long.txt"}' } }),
      ...rows.slice(51),
    ]);
    await panel.post({ type: 'reveal', thread: '', key: 'sevt_50' });
    const head = panel.page.getByRole('button', { name: 'cat long.txt' });
    await head.waitFor();
    await panel.rendered();
    const before = await panel.topOf('cat long.txt');
    await head.click();
    await panel.rendered();
    await becomes(() => head.getAttribute('aria-expanded'), 'true');
    await panel.row('cat long.txt').getByText('README.md').waitFor();
    await panel.stays(async () => Math.abs((await panel.topOf('cat long.txt')) - before) <= 1, true);
    await head.click();
    await panel.rendered();
    await becomes(() => head.getAttribute('aria-expanded'), 'false');
    await panel.stays(async () => Math.abs((await panel.topOf('cat long.txt')) - before) <= 1, true);
  });

  it('streams a message, and replaces it with the stored one', async () => {
    await panel.show([messageRow(0, 'Hel', { preview: true, key: 'p' })]);
    await panel.post({ type: 'previewText', thread: '', key: 'p', part: 0, text: 'lo **wor' });
    await panel.post({ type: 'previewText', thread: '', key: 'p', part: 0, text: 'ld**' });
    await panel.row('Hello world').waitFor();
    await becomes(() => panel.row('Hello world').locator('strong').innerText(), 'world');
    await becomes(() => panel.row('writing…').count(), 1);
    await panel.post(amend(0, 1, [messageRow(0, 'Hello world, again', { key: 'e' })]));
    await panel.row('Hello world, again').waitFor();
    await becomes(() => panel.row('writing…').count(), 0);
  });

  it('reveals the row that the host names, marked and focused', async () => {
    await panel.show(manyRows(1000));
    await panel.post({ type: 'reveal', thread: '', key: 'sevt_500' });
    await panel.row('Message 500').waitFor();
    await eventually(async () => assert.match((await panel.row('Message 500').getAttribute('class')) ?? '', /isMarked/));
    await eventually(async () => assert.match(await panel.focused(), /^Agent: Message 500/));
  });

  it('shows that it loads, and an empty state', async () => {
    await panel.show([], { expectedRows: 10 });
    await panel.page.getByRole('progressbar', { name: 'Loading…' }).waitFor();
    await panel.show([]);
    await panel.page.getByRole('progressbar').waitFor({ state: 'detached' });
    await panel.page.getByText('Nothing to show').waitFor();
  });

  it('keeps its row when the window is resized', async () => {
    const rows = manyRows(100).map(row =>
      row.kind === 'agent' ? { ...row, parts: [textPart('Words and more words. '.repeat(30))] } : row,
    );
    await panel.show([...rows.slice(0, 40), messageRow(40, 'The one that is read'), ...rows.slice(41)]);
    await panel.post({ type: 'reveal', thread: '', key: 'sevt_40' });
    await panel.row('The one that is read').waitFor();
    await panel.page.setViewportSize({ width: 420, height: 700 });
    await panel.rendered();
    await eventually(async () => assert.ok(await panel.row('The one that is read').isVisible()));
  });
});
