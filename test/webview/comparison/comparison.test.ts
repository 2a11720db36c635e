import assert from 'node:assert/strict';
import { isFlawless } from '../axeFindings';
import { ComparisonPage, head } from '../comparisonPage';
import { becomes, eventually } from '../eventually';
import { namelessControls } from '../inPanel.mjs';
import { pictureThemes, usePages } from '../webviewPage';

describe('webview/comparison', () => {
  usePages();
  let panel: ComparisonPage;

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await panel.page.keyboard.press(key);
    }
  };
  const cells = async (row: number) => await panel.page.locator(`#row-${row} [role="gridcell"]`).allTextContents();
  const chip = (name: string | RegExp) => panel.page.getByRole('group', { name: 'Filter requests' }).getByRole('button', { name });

  it('compares the runs in plain words, and collapses the statistics', async () => {
    panel = await ComparisonPage.open();
    await becomes(() => panel.page.getByRole('heading', { level: 1 }).textContent(), head.summary);
    await becomes(() => panel.page.locator('.comparisonHead > p').first().textContent(), head.chance);
    await becomes(() => panel.page.getByText('Invalid checks: 2.').isVisible(), true);
    await becomes(
      () => panel.page.locator('.runs > div').allTextContents(),
      [
        'Arequests.jsonl · vendor-sonnet-5 · Nov 21, 2026, 9:03 PM · Lab',
        'Brequests.jsonl · vendor-haiku-4-5 · Nov 22, 2026, 9:03 PM · Lab',
        'Output tokens12,000 → 9,000 (−25 %)',
      ],
    );
    for (const text of ['p = 0.004', 'McNemar']) {
      await becomes(() => panel.page.getByText(text).isVisible(), false);
    }
    await panel.page.getByText('Details').click();
    for (const text of ['p = 0.004', 'McNemar']) {
      await becomes(() => panel.page.getByText(text).isVisible(), true);
    }
  });

  it('lists both answers of each request, worst first, any of 100,000 with few elements', async () => {
    panel = await ComparisonPage.open();
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '100001');
    await becomes(() => cells(0), ['worse', 'question-1', 'passes', 'The label of 1 is spam.', 'failed: overloaded_error', 'Overloaded']);
    await becomes(async () => (await cells(1)).slice(4), ['fails contains, equals', 'I cannot tell.']);
    await panel.grid.focus();
    await press('End');
    const asked = await panel.serve();
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-99999');
    await becomes(() => panel.row('question-100000').count(), 1);
    assert.ok(asked.filter(({ type }) => type === 'window').length <= 2);
    await eventually(async () => assert.ok((await panel.page.locator('body *').count()) <= 400));
  });

  it('lists requests of one kind, and offers no empty kind', async () => {
    panel = await ComparisonPage.open();
    await becomes(
      () => panel.page.locator('.chip').allTextContents(),
      ['All 100,000', 'Worse 12', 'Better 3', 'Changed 900', 'Only in A 2', 'Same 99,083'],
    );
    await chip('Better 3').click();
    await panel.serve();
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '4');
    await becomes(() => panel.page.locator('.extent > .row .kind-fixed').count(), 3);
    await becomes(() => chip('Better 3').getAttribute('aria-pressed'), 'true');
    await chip('Only in A').click();
    await panel.serve();
    await becomes(async () => (await cells(0)).slice(0, 5), ['missing', 'question-1', 'passes', 'The label of 1 is spam.', 'no result']);
  });

  it('opens both answers by keyboard, steps through them, and links to results and request', async () => {
    panel = await ComparisonPage.open();
    await panel.grid.focus();
    await press('ArrowDown', 'Enter');
    await panel.serve();
    const pair = panel.page.getByRole('region', { name: 'Both answers to question-2' });
    await becomes(() => pair.evaluate(element => element === document.activeElement), true);
    await becomes(() => pair.locator('.side strong').allTextContents(), ['The label of 2 is spam.', 'I cannot tell.']);
    for (const [name, act] of [
      ['Show Difference', 'difference'],
      ['Results of A', 'before'],
      ['Results of B', 'after'],
      ['Go to Request', 'request'],
    ] as const) {
      await pair.getByRole('button', { name }).click();
      await becomes(async () => (await panel.posted('pair')).at(-1), { type: 'pair', filter: 'all', place: 1, act });
    }
    await press('Alt+ArrowDown');
    await panel.serve();
    await becomes(() => panel.page.getByRole('region', { name: 'Both answers to question-3' }).count(), 1);
    await press('Escape');
    await becomes(() => panel.page.locator('.pair').count(), 0);
    await becomes(() => panel.grid.evaluate(element => element === document.activeElement), true);
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-2');
  });

  it("says that a request has no result in one run, and doesn't link there", async () => {
    panel = await ComparisonPage.open({ kept: { filter: 'lost', active: 1, isOpen: true } });
    const pair = panel.page.getByRole('region', { name: 'Both answers to question-2' });
    await becomes(() => pair.locator('.sideNotice').textContent(), 'no result');
    await becomes(() => pair.getByRole('button', { name: 'Results of B' }).count(), 0);
    await becomes(() => chip('Only in A 2').getAttribute('aria-pressed'), 'true');
  });

  it('shows all differences in one editor, if there are any', async () => {
    panel = await ComparisonPage.open();
    await panel.page.getByRole('button', { name: 'Show Differences in One Editor' }).click();
    await becomes(async () => (await panel.posted('act')).at(-1), { type: 'act', act: 'together' });
    panel = await ComparisonPage.open({}, { acts: [] });
    await becomes(() => panel.page.getByRole('toolbar').getByRole('button').count(), 0);
  });

  it('has names and room for everything at 1,024 pixels', async () => {
    await openPair();
    await becomes(() => panel.page.evaluate(namelessControls), []);
    await eventually(async () => {
      const [grid, words] = await Promise.all([
        panel.grid.boundingBox(),
        panel.page.locator('#row-0 [role="gridcell"]').last().boundingBox(),
      ]);
      assert.ok(grid && words && words.x + words.width <= grid.x + grid.width && words.width >= 120 && grid.height >= 80);
    });
  });

  for (const theme of pictureThemes) {
    it(`shows a comparison in ${theme}`, async () => {
      panel = await ComparisonPage.open({ theme, width: 1440, height: 720 });
      await panel.page.getByText('Details').click();
      await panel.screenshot(`comparison-${theme}`);
      await becomes(() => panel.page.evaluate(namelessControls), []);
    });
  }

  it('has no axe violations, in dark, light and high contrast @ci', async () => {
    await openPair();
    await isFlawless(panel);
  });

  async function openPair(): Promise<void> {
    panel = await ComparisonPage.open({ width: 1024, height: 720 });
    await panel.grid.focus();
    await press('Enter');
    await panel.serve();
  }
});
