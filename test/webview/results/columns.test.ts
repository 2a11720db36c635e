import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { becomes, eventually } from '../eventually';
import { namelessControls } from '../inPanel.mjs';
import { columnsOf, ResultsPage, usualNames } from '../resultsPage';
import { pictureThemes, usePages } from '../webviewPage';

const all = ['line', 'id', 'status', 'stop_reason', 'input_tokens', 'output_tokens', 'model', 'test', '$.label', 'words'] as const;

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

  it('shows the columns that the host names, and what was read for them as soon as it was', async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500, {}, 0, columnsOf(...all));
    await becomes(async () => (await heads()).slice(6), ['Model', 'Expected', 'label', 'First words']);
    await becomes(
      () =>
        panel.page
          .locator('#row-1 .cell')
          .allTextContents()
          .then(texts => texts.slice(6, 9)),
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
          .then(texts => texts.slice(6, 9)),
      ['vendor-sonnet-5', 'passed', 'spam'],
    );
    await head('Model').getByRole('button').click();
    await panel.serve(500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.order, { by: 'model', isDescending: false });
    await panel.page.getByRole('button', { name: 'Not as expected' }).click();
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'test=failed');
  });

  it('asks for rows again when other columns are chosen', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await becomes(() => panel.page.getByRole('button', { name: 'Not as expected' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Columns…' }).click();
    await becomes(() => panel.posted('chooseColumns'), [{ type: 'chooseColumns' }]);
    panel.values = { model: 'vendor-haiku-4-5' };
    await panel.show(500, {}, 0, columnsOf('id', 'model'));
    await becomes(() => panel.page.locator('#row-0 .cell').allTextContents(), ['question-1', 'vendor-haiku-4-5']);
    await becomes(() => panel.grid.getAttribute('aria-colcount'), '2');
  });

  it('makes columns wider and narrower, by pointer and by keys, and tells the host when it is done', async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500);
    const edge = head('Status').locator('.edge');
    const from = await middle(edge);
    const before = (await head('Status').boundingBox())?.width ?? 0;
    await panel.page.mouse.move(from.x, from.y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(from.x + 20, from.y);
    await panel.page.mouse.move(from.x + 60, from.y);
    await panel.drawn();
    await panel.stays(told, []);
    await panel.page.mouse.up();
    await becomes(async () => (await told()).length, 1);
    const width = Number(/state (\d+)/.exec((await told())[0]?.join() ?? '')?.[1]);
    assert.ok(Math.abs(width - before - 60) <= 1, `${before} became ${width}`);
    // It is no click on the head.
    await panel.stays(async () => (await panel.posted('arrange')).length, 1);
    await becomes(async () => Math.round((await head('Status').boundingBox())?.width ?? 0), width);
    await head('Status').getByRole('button').press('Shift+ArrowLeft');
    await becomes(async () => (await told()).at(-1)?.[2], `state ${width - 16}`);
    await edge.dblclick();
    await becomes(async () => (await told()).at(-1), [...usualNames]);
  });

  it('puts columns in another order, by pointer and by keys', async () => {
    panel = await ResultsPage.open({ width: 1440 });
    await panel.show(500);
    const from = await middle(head('Status').locator('.sortTitle'));
    const to = await middle(head('Line').locator('.sortTitle'));
    await panel.page.mouse.move(from.x, from.y);
    await panel.page.mouse.down();
    await panel.page.mouse.move(from.x - 30, from.y);
    await panel.page.mouse.move(to.x, to.y);
    await panel.page.mouse.up();
    await becomes(async () => (await heads()).slice(0, 4), ['Status', 'Line', 'Id', 'Reason']);
    // It is no click on the head.
    await panel.stays(async () => (await panel.posted('arrange')).length, 1);
    await head('Status').getByRole('button').press('Control+Shift+ArrowRight');
    await becomes(async () => (await heads()).slice(0, 3), ['Line', 'Status', 'Id']);
    await becomes(async () => (await told()).at(-1)?.slice(0, 3), ['line', 'status', 'id']);
    await head('Id').getByRole('button').click();
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.order, { by: 'id', isDescending: false });
  });

  for (const [width, others] of [
    [660, []],
    [760, ['model']],
    [1024, ['model', 'test']],
  ] as const) {
    it(`has the answer on screen within ${width} pixels${others.map(name => `, beside ${name}`).join('')}`, async () => {
      panel = await ResultsPage.open({ width });
      await panel.show(100_000, {}, 0, columnsOf(...usualNames.slice(0, -1), ...others, 'words'));
      const seen = await eventually(async () => {
        const [words, grid] = await Promise.all([panel.page.locator('#row-0 .words').boundingBox(), panel.grid.boundingBox()]);
        assert.ok(words !== null && grid !== null);
        return Math.min(words.x + words.width, grid.x + grid.width) - words.x;
      });
      assert.ok(seen >= 120, `${seen} pixels of it`);
      await becomes(() => panel.grid.evaluate(grid => grid.scrollWidth > grid.clientWidth), false);
    });
  }

  it('shows every column that was chosen, however little room there is', async () => {
    panel = await ResultsPage.open({ width: 700 });
    await panel.show(500, {}, 0, columnsOf(...all));
    await becomes(async () => (await heads()).length, all.length);
    for (const look of ['reason', 'words', 'test']) {
      await panel.page.locator(`#row-0 .${look}`).waitFor();
    }
  });

  for (const theme of pictureThemes) {
    it(`shows all columns in ${theme}`, async () => {
      panel = await ResultsPage.open({ theme, width: 1440, height: 600 });
      panel.values = { model: 'vendor-sonnet-5', test: 'failed', '$.label': 'spam' };
      await panel.show(500, {}, 0, columnsOf(...all));
      await panel.screenshot(`results-columns-${theme}`);
      await becomes(() => panel.page.evaluate(namelessControls), []);
      await panel.page.setViewportSize({ width: 680, height: 600 });
      await panel.show(500, {}, 1);
      await panel.screenshot(`results-narrow-${theme}`);
    });
  }
});
