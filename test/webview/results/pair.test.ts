import assert from 'node:assert/strict';
import { becomes } from '../eventually';
import { pairAt, ResultsPage, rowAt } from '../resultsPage';
import { usePages } from '../webviewPage';

describe('webview/results/pair', () => {
  usePages();
  let panel: ResultsPage;

  const region = (id: string) => panel.page.getByRole('region', { name: `Request and answer of ${id}` });

  it('opens request and answer side by side with Enter, steps with the table, and closes with Escape', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await panel.grid.focus();
    await panel.page.keyboard.press('Enter');
    await panel.serve(500);
    await becomes(() => region('question-1').count(), 1);
    await becomes(() => panel.focused(), 'Request and answer of question-1');
    await panel.page.keyboard.press('Alt+ArrowDown');
    await panel.serve(500);
    await becomes(() => region('question-2').count(), 1);
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-1');
    await panel.grid.focus();
    await panel.page.keyboard.press('ArrowDown');
    await panel.serve(500);
    await becomes(() => region('question-3').count(), 1);
    await becomes(async () => (await panel.kept()).open, 'question-3');
    const [request, answer] = await Promise.all(
      ['Request', 'Answer'].map(name => panel.page.getByRole('region', { name, exact: true }).boundingBox()),
    );
    assert.ok(request && answer && answer.x >= request.x + request.width - 1);
    await region('question-3').focus();
    await panel.page.keyboard.press('Escape');
    await becomes(() => region('question-3').count(), 0);
    await becomes(() => panel.focused(), 'Results');
  });

  it("renders a model's text without its own markup, scripts or addresses, and requests the rest", async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await panel.row('question-2').first().click();
    await panel.serve(500);
    await becomes(() => panel.page.locator('.side b').count(), 0);
    await becomes(() => panel.page.locator('.side strong').innerText(), 'Answer 2');
    await panel.page.getByRole('link', { name: 'link' }).click();
    await becomes(() => panel.posted('openLink'), [{ type: 'openLink', href: 'https://example.com/' }]);
    for (const name of ['Open in Editor', 'Copy Answer', 'Copy Link', 'Go to Line 2']) {
      await panel.page.getByRole('button', { name }).click();
    }
    await becomes(
      async () => (await panel.posted('pair')).map(({ act, place }) => [act, place]),
      [
        ['openInEditor', 1],
        ['copyAnswer', 1],
        ['copyLink', 1],
        ['goToLine', 1],
      ],
    );
  });

  for (const width of [1200, 420]) {
    it(`shows a failure, a changed request, its runs and cut text, within ${width} pixels`, async () => {
      panel = await ResultsPage.open({ width, height: 960 });
      await panel.show(500, {
        notices: [
          {
            tone: 'warning',
            text: 'Requests without an answer, not shown: 3 (question-7, question-8, question-9).',
            act: { label: 'Show Missing IDs', act: 'showMissing' },
          },
        ],
      });
      await panel.row('question-28').first().click();
      const { revision, place } = await panel.message('open');
      await panel.post({
        ...{ type: 'pair', revision, place },
        pair: pairAt(place, {
          row: rowAt(place, { mark: 'failed', reason: 'overloaded_error' }),
          request: { ...pairAt(place).request, notice: 'This request has changed since it was sent.' },
          answer: {
            facts: [
              { name: 'Error', value: 'overloaded_error' },
              { name: 'Request ID', value: 'req_01' },
            ],
            parts: [
              { form: 'plain', title: 'Error message', text: `Overloaded. ${'x'.repeat(300)}`, isProblem: true },
              { form: 'code', title: 'Error as JSON', text: '{}', isFolded: true },
            ],
            isCut: true,
          },
          history: ['Run 1: expired', 'Run 2: errored, overloaded_error (shown)'],
        }),
      });
      await panel.rendered();
      await panel.screenshot(`results-pair-${width}`);
      await panel.page.getByRole('button', { name: 'Show All' }).click();
      await becomes(async () => (await panel.posted('pair')).at(-1)?.act, 'openInEditor');
      await becomes(() => panel.page.getByRole('list', { name: 'Runs' }).getByRole('listitem').count(), 2);
      const overflow = await panel.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(overflow, 0);
    });
  }
});
