import assert from 'node:assert/strict';
import { isFlawless } from '../axeFindings';
import { becomes, eventually } from '../eventually';
import { namelessControls } from '../inPanel.mjs';
import { filters, SessionComparisonPage } from '../sessionComparisonPage';
import { usePages } from '../webviewPage';

describe('webview/comparison/sessionComparison', () => {
  usePages();
  let panel: SessionComparisonPage;

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await panel.page.keyboard.press(key);
    }
  };
  const cells = async (row: number) => await panel.page.locator(`#row-${row} [role="gridcell"]`).allTextContents();
  const chip = (name: string | RegExp) => panel.page.getByRole('group', { name: 'Select a filter' }).getByRole('button', { name });

  it('shows the number and kinds of differences first, then both sessions with their cost', async () => {
    panel = await SessionComparisonPage.open();
    await becomes(() => panel.page.getByRole('heading', { level: 1 }).textContent(), 'Differences: 1,200, first in turn 1');
    await becomes(
      () => panel.page.locator('.differences li').allTextContents(),
      ['Calls only in B: 2', 'Calls with different arguments: 3', 'Different answers: 1'],
    );
    await becomes(
      () => panel.page.locator('.runs > div').allTextContents(),
      [
        'AMend the test · v3 · Coder v3 · vendor-sonnet-5 · Idle · Nov 21, 2026, 9:03:00 PM · Lab',
        'BMend the test · v5 · Coder v5 · vendor-sonnet-5 · Running · Nov 21, 2026, 9:04:00 PM · Lab',
        'Calls4 → 6 (+2)',
        'Tokens12,000 → 13,200 (+1,200)',
      ],
    );
    await becomes(() => panel.page.getByText('B: still running (as of 9:05:00 PM).').isVisible(), true);
    await panel.page.getByText('Details').click();
    await becomes(() => panel.page.getByText('Turns are paired').isVisible(), true);
  });

  it('lists differences, of one kind on request, and any of 40,000 steps with few elements', async () => {
    panel = await SessionComparisonPage.open();
    await becomes(
      () => panel.page.locator('.chip').allTextContents(),
      ['Differences 1,200', 'Turns 1', 'Calls 5', 'Answers 1', 'All Steps 40,000'],
    );
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '1201');
    await becomes(() => cells(0), ['1', 'Turn', 'calls +2, tokens +1,200', 'Calls 4', 'Calls 6']);
    await becomes(() => cells(2), ['1', 'read', 'Only in B', 'nothing', 'src/app.ts']);
    await chip('Calls').click();
    await panel.serve();
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '6');
    await chip('All Steps').click();
    await panel.serve();
    await panel.grid.focus();
    await press('End');
    const asked = await panel.serve();
    await becomes(() => cells(39_999), ['1', 'bash', 'different arguments', 'npm test 39999', 'npm run test 39999']);
    assert.ok(asked.filter(({ type }) => type === 'window').length <= 2);
    await eventually(async () => assert.ok((await panel.page.locator('body *').count()) <= 400));
  });

  it('steps through differences by keyboard, and opens the diff editor and either session', async () => {
    panel = await SessionComparisonPage.open();
    await panel.grid.focus();
    await press('ArrowDown', 'Enter');
    await panel.serve();
    const pair = panel.page.getByRole('region', { name: 'Both sessions, Turn 1: bash' });
    await becomes(() => pair.evaluate(element => element === document.activeElement), true);
    await becomes(() => pair.locator('.side .part').first().textContent(), 'Argumentsnpm test 1');
    for (const [name, act] of [
      ['Show Difference', 'difference'],
      ['Open in Session A', 'before'],
      ['Open in Session B', 'after'],
    ] as const) {
      await pair.getByRole('button', { name }).click();
      await becomes(async () => (await panel.posted('pair')).at(-1), { type: 'pair', filter: 'differs', place: 1, act });
    }
    await press('Alt+ArrowDown');
    await panel.serve();
    const next = panel.page.getByRole('region', { name: 'Both sessions, Turn 1: read' });
    await becomes(() => next.locator('.sideNotice').textContent(), 'no result');
    await becomes(() => next.getByRole('button', { name: 'Open in Session A' }).count(), 0);
    await press('Escape');
    await becomes(() => panel.page.locator('.pair').count(), 0);
    await becomes(() => panel.grid.evaluate(element => element === document.activeElement), true);
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-2');
  });

  it('refreshes both sessions, and keeps its position', async () => {
    panel = await SessionComparisonPage.open({ kept: { active: 3, isOpen: true } });
    await panel.page.getByRole('button', { name: 'Refresh' }).click();
    await becomes(async () => (await panel.posted('act')).at(-1), { type: 'act', act: 'refresh' });
    await panel.show({
      summary: 'Differences: 2, first in turn 1',
      filters: filters(2, 1, 1, 0, 0, 9),
    });
    await becomes(() => panel.page.getByRole('heading', { level: 1 }).textContent(), 'Differences: 2, first in turn 1');
    await becomes(() => panel.grid.getAttribute('aria-rowcount'), '3');
    await becomes(() => panel.page.getByText('2 of 2').count(), 1);
    await panel.page.getByRole('button', { name: 'Show Transcripts in Diff Editor' }).click();
    await becomes(async () => (await panel.posted('act')).at(-1), { type: 'act', act: 'difference' });
  });

  it('shows that there are no differences, or nothing at all', async () => {
    panel = await SessionComparisonPage.open({}, { differences: [], filters: filters(0, 0, 0, 0, 0, 7), empty: 'No differences.' });
    await becomes(() => panel.page.locator('.empty').textContent(), 'No differences.');
    await becomes(() => panel.page.locator('.chip').allTextContents(), ['Differences 0', 'All Steps 7']);
    await panel.show({ differences: [], filters: filters(0, 0, 0, 0, 0, 0) });
    await becomes(() => panel.page.locator('.empty').textContent(), 'Nothing to show');
  });

  for (const width of [1440, 500]) {
    it(`has names and room for everything at ${width} pixels`, async () => {
      await openPair(width);
      await becomes(() => panel.page.evaluate(namelessControls), []);
      await eventually(async () => {
        const [grid, buttons] = await Promise.all([panel.grid.boundingBox(), panel.page.locator('.headActs').boundingBox()]);
        assert.ok(grid && grid.height >= 80 && buttons && buttons.x + buttons.width <= width);
      });
    });

    it(`has no axe violations at ${width} pixels, in dark, light and high contrast @ci`, async () => {
      await openPair(width);
      await isFlawless(panel);
    });
  }

  async function openPair(width: number): Promise<void> {
    panel = await SessionComparisonPage.open({ width, height: 720 });
    await panel.grid.focus();
    await press('Enter');
    await panel.serve();
  }
});
