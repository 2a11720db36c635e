import assert from 'node:assert/strict';
import { becomes, eventually } from '../eventually';
import { spokenTexts } from '../inPanel.mjs';
import { ResultsPage } from '../resultsPage';
import { usePages } from '../webviewPage';

describe('webview/results/queryBar', () => {
  usePages();
  let panel: ResultsPage;

  const field = () => panel.page.getByRole('combobox', { name: 'Filter results' });

  it('sends the typed query, offers completions, and accepts one by keyboard', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await field().fill('sta');
    const { request } = await panel.message('complete');
    await panel.post({
      ...{ type: 'completions', request },
      items: [{ label: 'status', detail: 'Status of the result', text: 'status', start: 0, end: 3 }],
    });
    await panel.rendered();
    await field().press('ArrowDown');
    await eventually(async () => assert.match((await field().getAttribute('aria-activedescendant')) ?? '', /-0$/));
    await panel.screenshot('results-completions');
    await field().press('Enter');
    await becomes(() => field().inputValue(), 'status');
    await field().fill('status=errored');
    await field().press('Enter');
    await panel.serve(40, 500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'status=errored');
    await becomes(async () => (await panel.kept()).query, 'status=errored');
    await eventually(async () => assert.match(await panel.page.locator('.count').innerText(), /40 of 500 results/));
  });

  it('marks an invalid query, and keeps the rows', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await field().fill('status=wrong and out>5');
    await field().press('Enter');
    const { request = 0 } = (await panel.posted('arrange')).at(-1) ?? {};
    await panel.post({
      type: 'refused',
      request,
      query: 'status=wrong and out>5',
      message: 'There is no status "wrong".',
      start: 7,
      end: 12,
    });
    await panel.rendered();
    await becomes(() => panel.page.locator('.queryProblem mark').innerText(), 'wrong');
    await becomes(() => field().getAttribute('aria-invalid'), 'true');
    await becomes(() => panel.row('question-1').first().count(), 1);
    await panel.screenshot('results-refused');
  });

  it('shows the progress of a long search, until its rows arrive', async () => {
    panel = await ResultsPage.open();
    await panel.show(500);
    await field().fill('fox');
    await field().press('Enter');
    const { request = 0 } = (await panel.posted('arrange')).at(-1) ?? {};
    await panel.post({ type: 'searched', request: request - 1, share: 0.9 });
    await panel.post({ type: 'searched', request, share: 0.429 });
    await panel.rendered();
    await becomes(() => panel.page.locator('.count').innerText(), 'Searching… 42%');
    await becomes(() => panel.page.getByRole('progressbar', { name: 'Searching…' }).count(), 1);
    await panel.screenshot('results-searching');
    await panel.serve(40, 500);
    await eventually(async () => assert.match(await panel.page.locator('.count').innerText(), /40 of 500 results/));
    await becomes(() => panel.page.getByRole('progressbar').count(), 0);
  });

  it('filters by a chip, counts the rest, and clears with Escape', async () => {
    panel = await ResultsPage.open({ isClockHeld: true });
    await panel.show(500);
    await panel.page.evaluate(spokenTexts);
    await panel.page.getByRole('button', { name: /^Failed/ }).click();
    await panel.serve(12, 500);
    await becomes(() => panel.page.getByRole('button', { name: /^Failed/ }).getAttribute('aria-pressed'), 'true');
    await panel.says('12 of 500 results');
    await panel.grid.focus();
    await panel.page.keyboard.press('/');
    await panel.rendered();
    await becomes(() => panel.focused(), 'Filter results');
    await panel.page.keyboard.press('Escape');
    await panel.serve(500);
    await becomes(() => field().inputValue(), '');
  });

  it('keeps filter, order, position and pair across a reload and new results', async () => {
    const kept = {
      runId: 'r1',
      query: 'out>5',
      order: { by: 'output_tokens', isDescending: true },
      open: 'question-300',
      active: 10,
    } as const;
    panel = await ResultsPage.open({ kept });
    await panel.show(500);
    assert.deepEqual(await panel.message('arrange'), {
      type: 'arrange',
      request: 1,
      query: 'out>5',
      order: kept.order,
      keep: 'question-300',
    });
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-299');
    await becomes(() => panel.page.getByRole('region', { name: 'Request and answer of question-300' }).count(), 1);
    await panel.show(600, {}, 1);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.keep, 'question-300');
    await becomes(() => panel.grid.getAttribute('aria-activedescendant'), 'row-299');
    await becomes(() => panel.page.getByRole('region', { name: 'Request and answer of question-300' }).count(), 1);
  });

  it("prefers the host's filter to the stored one", async () => {
    panel = await ResultsPage.open({ kept: { query: 'status=errored' } });
    await panel.post({ type: 'filter', query: 'status=failed' });
    await panel.show(500);
    await panel.serve(20, 500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'status=failed');
    await becomes(() => panel.page.getByRole('button', { name: /^Failed/ }).getAttribute('aria-pressed'), 'true');
    await panel.post({ type: 'filter', query: '' });
    await panel.serve(500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, '');
    await becomes(async () => (await panel.kept()).query, '');
  });

  it('goes to a request that the host names, without the filter if that hides it', async () => {
    panel = await ResultsPage.open({ kept: { runId: 'r1', query: 'out>5' } });
    await panel.show(20);
    await panel.post({ type: 'reveal', customId: 'question-300' });
    await panel.rendered();
    await panel.serve(20, 500);
    const queries = (await panel.posted('arrange')).map(({ query, keep }) => [query, keep]);
    assert.deepEqual(queries.slice(1), [
      ['out>5', 'question-300'],
      ['', 'question-300'],
    ]);
    await becomes(() => panel.page.getByRole('region', { name: 'Request and answer of question-300' }).count(), 1);
    // A filter that the user enters later stays, even if it hides the row.
    await field().fill('out>9');
    await field().press('Enter');
    await panel.serve(20, 500);
    await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'out>9');
    await becomes(() => field().inputValue(), 'out>9');
  });
});
