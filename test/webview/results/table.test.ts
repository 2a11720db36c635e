import assert from 'node:assert/strict';
import { knownColumns } from '../../../src/features/results/table/tableColumns';
import { becomes, eventually } from '../eventually';
import { namelessControls } from '../inPanel.mjs';
import { columnsOf, ResultsPage } from '../resultsPage';
import { tagOf, themeNames, usePages } from '../webviewPage';

describe('webview/results/tableView', () => {
  usePages();
  let panel: ResultsPage;

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await panel.page.keyboard.press(key);
    }
  };
  const activeRow = async (): Promise<string | null> => await panel.grid.getAttribute('aria-activedescendant');

  it('shows any of 100,000 rows with few elements, and requests only visible ones', async () => {
    panel = await ResultsPage.open();
    await panel.show(100_000);
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '100001');
    await becomes(() => panel.row('Answer 1:').count(), 1);
    await panel.grid.focus();
    await press('End');
    const asked = await panel.serve(100_000);
    await becomes(() => activeRow(), 'row-99999');
    await becomes(() => panel.row('question-100000').count(), 1);
    assert.ok(asked.filter(({ type }) => type === 'window').length <= 2);
    await eventually(async () =>
      assert.ok((await panel.page.locator('body *').count()) <= 300, `${await panel.page.locator('body *').count()} nodes`),
    );
  });

  it('scrolls from the first of three million rows to the last, one by one there too', async () => {
    panel = await ResultsPage.open();
    await panel.show(3_000_000);
    await panel.grid.focus();
    await press('End', 'ArrowUp');
    await panel.serve(3_000_000);
    await becomes(() => activeRow(), 'row-2999998');
    const [row, grid] = await Promise.all([panel.page.locator('#row-2999998').boundingBox(), panel.grid.boundingBox()]);
    assert.ok(row !== null && grid !== null && row.y > grid.y && row.y + row.height <= grid.y + grid.height);
    await panel.page.mouse.move(400, 500);
    await panel.page.mouse.wheel(0, -240);
    await panel.serve(3_000_000);
    // The table scrolled up by ten rows, as a short list does.
    const places = await panel.page.locator('.extent > .row:not(.isActive)').evaluateAll(rows => rows.map(one => one.id));
    assert.ok(places.includes('row-2999980'));
  });

  it('moves, selects and copies by keyboard', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await panel.grid.focus();
    await press('ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await becomes(() => panel.page.locator('[role="row"][aria-selected="true"]').count(), 3);
    await press('Control+c');
    await becomes(async () => (await panel.posted('actOnRows')).at(-1), {
      type: 'actOnRows',
      revision: 1,
      ranges: [[2, 5]],
      act: 'copyRows',
    });
    await press('ArrowDown', 'Space');
    await press('Control+a');
    await panel.page.getByRole('button', { name: 'Copy IDs' }).click();
    await becomes(async () => (await panel.posted('actOnRows')).at(-1), {
      type: 'actOnRows',
      revision: 1,
      ranges: [[0, 500]],
      act: 'copyIds',
    });
    await panel.page.getByRole('button', { name: 'Save Requests to New File...' }).click();
    await becomes(async () => (await panel.posted('actOnRows')).at(-1), {
      type: 'actOnRows',
      revision: 1,
      ranges: [[0, 500]],
      act: 'saveRequests',
    });
    await panel.grid.focus();
    await press('Escape');
    await becomes(() => panel.page.getByRole('toolbar', { name: 'Selected rows' }).count(), 0);
    await press('PageDown');
    await panel.serve(500);
    await eventually(async () => assert.notEqual(await activeRow(), 'row-5'));
    await press('Home');
    await becomes(() => activeRow(), 'row-0');
  });

  it("sorts by a column's header, and announces it", async () => {
    panel = await ResultsPage.open();
    await panel.show(500, {}, 0, columnsOf('id', 'words', 'output_tokens'));
    const output = panel.page.getByRole('columnheader', { name: 'Output tokens' });
    await output.getByRole('button').click();
    await panel.serve(500);
    await becomes(() => output.getAttribute('aria-sort'), 'descending');
    await output.getByRole('button').click();
    await panel.serve(500);
    await becomes(() => output.getAttribute('aria-sort'), 'ascending');
    const orders = (await panel.posted('arrange')).map(({ order }) => order);
    assert.deepEqual(orders, [undefined, { by: 'output_tokens', isDescending: true }, { by: 'output_tokens', isDescending: false }]);
    await becomes(async () => (await panel.kept()).order, { by: 'output_tokens', isDescending: false });
  });

  it('selects rows by shift and click, without selecting text', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await panel.page.locator('#row-1 .words').click();
    await panel.page.locator('#row-5 .words').click({ modifiers: ['Shift'] });
    await becomes(() => panel.page.locator('[role="row"][aria-selected="true"]').count(), 5);
    assert.equal(await panel.page.evaluate('getSelection().toString()'), '');
  });

  it('shows the whole arrow of the sorted column, in narrow columns too', async () => {
    panel = await ResultsPage.open({ width: 600 });
    await panel.show(500, {}, 0, columnsOf(...knownColumns));
    for (const name of ['ID', 'Status', 'Line', 'Stop reason', 'Input tokens', 'Output tokens']) {
      const head = panel.page.getByRole('columnheader', { name });
      await head.getByRole('button').click();
      await panel.serve(500);
      await eventually(async () => assert.notEqual(await head.getAttribute('aria-sort'), null));
      const room = await head.getByRole('button').evaluate(button => {
        const { parentElement } = button;
        const style = parentElement && getComputedStyle(parentElement);
        return {
          isWhole: button.scrollWidth <= button.clientWidth,
          isInside:
            button.getBoundingClientRect().width <=
            (parentElement?.clientWidth ?? 0) - Number.parseFloat(style?.paddingInlineEnd ?? '0') + 0.5,
        };
      });
      assert.deepEqual(room, { isWhole: true, isInside: true }, name);
    }
  });

  it('has its own menu on rows, which acts on the row under it or on all selected ones', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    const contextOf = async (selector: string): Promise<unknown> =>
      await panel.page.locator(selector).evaluate(element => {
        const contexts: object[] = [];
        for (let at: Element | null = element; at !== null; at = at.parentElement) {
          contexts.unshift(JSON.parse((at instanceof HTMLElement && at.dataset.vscodeContext) || '{}'));
        }
        return Object.assign({}, ...contexts);
      });
    const ofRow = { webviewSection: 'resultRow', preventDefaultContextMenuItems: true };
    assert.deepEqual(await contextOf('#row-3 .words'), ofRow);
    assert.deepEqual(await contextOf('[role="grid"]'), ofRow);
    assert.deepEqual(await contextOf('.headRow .sortButton >> nth=0'), { webviewSection: '', preventDefaultContextMenuItems: true });
    await panel.page.locator('#row-3 .words').click({ button: 'right' });
    await becomes(() => activeRow(), 'row-3');
    await panel.post({ type: 'menu', act: 'openInEditor' }, { type: 'menu', act: 'copyRows' });
    await becomes(() => panel.posted('pair'), [{ type: 'pair', revision: 1, place: 3, act: 'openInEditor' }]);
    await becomes(() => panel.posted('actOnRows'), [{ type: 'actOnRows', revision: 1, ranges: [[3, 4]], act: 'copyRows' }]);
    await panel.page.locator('#row-1 .words').click();
    await panel.serve(500);
    await panel.page.locator('#row-4 .words').click({ modifiers: ['Shift'] });
    await panel.page.locator('#row-2 .words').click({ button: 'right' });
    await becomes(() => activeRow(), 'row-2');
    await panel.post({ type: 'menu', act: 'expect' }, { type: 'menu', act: 'saveRequests' });
    await becomes(
      async () => (await panel.posted('actOnRows')).slice(1),
      (['expect', 'saveRequests'] as const).map(act => ({ type: 'actOnRows', revision: 1, ranges: [[1, 5]], act })),
    );
    await panel.page.locator('#row-8 .words').click({ button: 'right' });
    await becomes(() => panel.page.locator('[role="row"][aria-selected="true"]').count(), 0);
    await becomes(() => activeRow(), 'row-8');
  });

  it('drops responses to older requests', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await panel.post({ type: 'rows', revision: 0, from: 0, rows: [] });
    await panel.post({ type: 'arranged', request: 0, query: '', revision: 9, count: 1, all: 1, inputTokens: 0, outputTokens: 0 });
    await panel.rendered();
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '501');
  });

  it('says that there are no results, or no matches, and nothing of rows when the file is deleted', async () => {
    panel = await ResultsPage.open();
    await panel.show(0);
    await becomes(() => panel.page.getByText('No results').count(), 1);
    await panel.show(
      5,
      { isReady: false, acts: [], notices: [{ tone: 'error', text: 'It is gone.', act: { label: 'Fetch Results', act: 'fetch' } }] },
      1,
    );
    await becomes(() => panel.grid.count(), 0);
    await panel.page.getByRole('button', { name: 'Fetch Results' }).click();
    await becomes(() => panel.posted('act'), [{ type: 'act', act: 'fetch' }]);
  });

  for (const theme of themeNames) {
    it(`shows the focus, and names every control, in ${theme}${tagOf(theme)}`, async () => {
      panel = await ResultsPage.open({ theme, height: 800 });
      await panel.show(500);
      await panel.row('question-10').first().click();
      await panel.serve(500);
      await panel.grid.focus();
      await press('Shift+ArrowDown');
      await panel.serve(500);
      await panel.screenshot(`results-${theme}`);
      await becomes(() => panel.page.evaluate(namelessControls), []);
      assert.deepEqual(await panel.unseenFocus(25), []);
    });
  }
});
