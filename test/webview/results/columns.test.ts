import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { knownColumns } from '../../../src/features/results/table/tableColumns';
import { becomes, eventually } from '../eventually';
import { namelessControls } from '../inPanel.mjs';
import { columnsOf, ResultsPage, usualNames } from '../resultsPage';
import { pictureThemes, usePages } from '../webviewPage';

const all = [...knownColumns, '$.label'] as const;

describe('webview/results/headRow', () => {
  usePages();
  let panel: ResultsPage;

  const head = (name: string): Locator => panel.page.getByRole('columnheader', { name, exact: true });
  const heads = async (): Promise<readonly string[]> => await panel.page.locator('.headRow .sortTitle').allTextContents();
  const told = async () =>
    (await panel.posted('columns')).map(({ columns }) =>
      columns.map(({ name, width }) => (width === undefined ? name : `${name} ${width}`)),
    );
  const middle = async (locator: Locator): Promise<{ x: number; y: number }> => {
    const box = await locator.boundingBox();
    assert.ok(box !== null);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };

  it("shows the host's columns, and their values as soon as they were read", async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500, {}, 0, columnsOf(...all));
    await becomes(heads, ['ID', 'Status', 'Answer', 'Expected', 'Line', 'Stop reason', 'Model', 'Input tokens', 'Output tokens', 'label']);
    await becomes(
      () =>
        panel.page
          .locator('#row-1 .cell')
          .allTextContents()
          .then(texts => [3, 6, 9].map(at => texts[at])),
      ['…', '…', '…'],
    );
    panel.values = { model: 'vendor-sonnet-5', test: 'passed', '$.label': 'spam' };
    await panel.post({ type: 'filled', revision: panel.revision - 1 });
    assert.deepEqual(await panel.serve(500), [], 'another arrangement is meant');
    await panel.post({ type: 'filled', revision: panel.revision });
    await panel.serve(500);
    await becomes(
      () =>
        panel.page
          .locator('#row-1 .cell')
          .allTextContents()
          .then(texts => [3, 6, 9].map(at => texts[at])),
      ['passed', 'vendor-sonnet-5', 'spam'],
    );
    await head('Model').getByRole('button').click();
    await panel.serve(500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.order, { by: 'model', isDescending: false });
    await panel.page.getByRole('button', { name: 'Not as expected' }).click();
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'test=failed');
  });

  it('requests rows again when other columns are chosen', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await becomes(() => panel.page.getByRole('button', { name: 'Not as expected' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Columns' }).click();
    await becomes(() => panel.posted('chooseColumns'), [{ type: 'chooseColumns' }]);
    panel.values = { model: 'vendor-haiku-4-5' };
    await panel.show(500, {}, 0, columnsOf('id', 'model'));
    await becomes(() => panel.page.locator('#row-0 .cell').allTextContents(), ['question-1', 'vendor-haiku-4-5']);
    await becomes(() => panel.grid.getAttribute('aria-colcount'), '2');
  });

  it('resizes columns, by pointer and by keys, and reports it to the host afterwards', async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500);
    const edge = head('Status').locator('.edge');
    const from = await middle(edge);
    const before = (await head('Status').boundingBox())?.width ?? 0;
    await panel.page.mouse.move(from.x, from.y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(from.x + 20, from.y);
    await panel.page.mouse.move(from.x + 60, from.y);
    await panel.rendered();
    await panel.stays(told, []);
    await panel.page.mouse.up();
    await becomes(async () => (await told()).length, 1);
    const width = Number(/status (\d+)/.exec((await told())[0]?.join() ?? '')?.[1]);
    assert.ok(Math.abs(width - before - 60) <= 1, `${before} became ${width}`);
    // Resizing is no click on the header.
    await panel.stays(async () => (await panel.posted('arrange')).length, 1);
    await becomes(async () => Math.round((await head('Status').boundingBox())?.width ?? 0), width);
    await head('Status').getByRole('button').press('Shift+ArrowLeft');
    await becomes(async () => (await told()).at(-1)?.[1], `status ${width - 16}`);
    await edge.dblclick();
    await becomes(async () => (await told()).at(-1), [...usualNames]);
  });

  it('reorders columns, by pointer and by keys', async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500);
    const from = await middle(head('Status').locator('.sortTitle'));
    const to = await middle(head('ID').locator('.sortTitle'));
    await panel.page.mouse.move(from.x, from.y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(from.x - 30, from.y);
    await panel.page.mouse.move(to.x, to.y);
    await panel.page.mouse.up();
    await becomes(async () => (await heads()).slice(0, 3), ['Status', 'ID', 'Answer']);
    // Resizing is no click on the header.
    await panel.stays(async () => (await panel.posted('arrange')).length, 1);
    await head('Status').getByRole('button').press('Control+Shift+ArrowRight');
    await becomes(async () => (await heads()).slice(0, 3), ['ID', 'Status', 'Answer']);
    await becomes(async () => (await told()).at(-1), ['id', 'status', 'words']);
    await head('ID').getByRole('button').click();
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.order, { by: 'id', isDescending: false });
  });

  for (const [width, names, least] of [
    [520, usualNames, 250],
    [520, all, 150],
    [1024, usualNames, 650],
    [1440, all, 200],
  ] as const) {
    it(`shows ${least} pixels of the answer within ${width}, with ${names.length} columns`, async () => {
      panel = await ResultsPage.open({ width });
      await panel.show(100_000, {}, 0, columnsOf(...names));
      const seen = await eventually(async () => {
        const [words, grid] = await Promise.all([panel.page.locator('#row-0 .words').boundingBox(), panel.grid.boundingBox()]);
        assert.ok(words !== null && grid !== null);
        return Math.min(words.x + words.width, grid.x + grid.width) - words.x;
      });
      assert.ok(seen >= least, `${seen} pixels of it`);
      const isScrolled = await panel.grid.evaluate(grid => grid.scrollWidth > grid.clientWidth);
      assert.equal(isScrolled, names === all && width === 520);
    });
  }

  it('shows the whole text of a cut cell as its tooltip', async () => {
    panel = await ResultsPage.open({ width: 520 });
    await panel.show(500);
    const words = panel.page.locator('#row-1 .words');
    await becomes(() => words.evaluate(cell => cell.scrollWidth > cell.clientWidth), true);
    await becomes(() => words.evaluate(cell => getComputedStyle(cell).textOverflow), 'ellipsis');
    await becomes(() => words.getAttribute('title'), (await words.textContent()) ?? '');
  });

  for (const theme of pictureThemes) {
    it(`shows all columns in ${theme}`, async () => {
      panel = await ResultsPage.open({ theme, width: 1440, height: 600 });
      panel.values = { model: 'vendor-sonnet-5', test: 'failed', '$.label': 'spam' };
      await panel.show(500, {}, 0, columnsOf(...all));
      await panel.screenshot(`results-columns-${theme}`);
      await becomes(() => panel.page.evaluate(namelessControls), []);
      for (const width of [520, 1024]) {
        await panel.page.setViewportSize({ width, height: 600 });
        await panel.show(500, {}, width);
        await panel.screenshot(`results-${width}-${theme}`);
      }
    });
  }
});
