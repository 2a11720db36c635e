import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { createBatch, endAndFetch, endBatches, enterBatches } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const request = (id: string, model: string) =>
  JSON.stringify({ custom_id: id, params: { model, max_tokens: 64, messages: [{ role: 'user', content: `Say hello, ${id}.` }] } });
const requests = (model: string) => `${Array.from({ length: 14 }, (_, index) => request(`greet-${index + 1}`, model)).join('\n')}\n`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const expected = `${JSON.stringify({ contains: 'e', max_output_tokens: 100_000 })}\n`;
const comparisonTab = (title: string) => `.tab.active:has-text("${title}")`;

describe('comparing and exporting results', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000, cutShortPercent: 15 } });
  const workbench = useWorkbench(() => ({
    files: { 'runs.jsonl': requests('vendor-sonnet-5'), 'other.jsonl': requests('vendor-haiku-4-5'), 'other.expect.jsonl': expected },
    settings: {
      ...connectedTo(emulator()),
      'managedAgents.batches.notify': 'never',
      'managedAgents.estimate.prices': { 'vendor-sonnet-5': { input: 3, output: 15 }, 'vendor-haiku-4-5': { input: 1, output: 5 } },
    },
  }));

  before('fetch the results of two files, of which the second has errors', async () => {
    await enterBatches(workbench(), emulator());
    await endAndFetch(workbench(), emulator(), 'runs.jsonl', await createBatch(workbench(), 'runs.jsonl'));
    emulator().setScenario({ erroredPercent: 30 });
    await endAndFetch(workbench(), emulator(), 'other.jsonl', await createBatch(workbench(), 'other.jsonl'));
  });

  it('compares two runs: the verdict, both answers of each request what is worse first, and what leads on from there', async () => {
    await workbench().runCommand('Managed Agents: Compare Results With...', listed('other.jsonl'));
    await workbench().screenshot('compare-run');
    await workbench().quickPick('other.jsonl', `${picker} :text("Other files")`);
    await workbench().screenshot('compare-choose');
    await workbench().quickPick('runs.jsonl', comparisonTab('vendor-sonnet-5 and vendor-haiku-4-5'));
    const frame = await workbench().webview('.verdict:has-text(", p ")');
    await frame.locator('#row-0').filter({ hasText: 'worse' }).filter({ hasText: 'errored' }).waitFor();
    await frame.getByText('Both are judged by other.expect.jsonl.').waitFor();
    await workbench().pictures('compare-table');
    const pair = frame.getByRole('region', { name: /^Both answers to greet-/ });
    await workbench().click(frame.locator('#row-0'), pair.locator('.part.isProblem'));
    await workbench().pictures('compare-pair');
    await workbench().click(pair.getByRole('button', { name: 'Show Difference', exact: true }), '.monaco-diff-editor');
    await workbench().screenshot('compare-difference');
    await workbench().command('workbench.action.closeActiveEditor');
    const again = (await workbench().webview('.verdict')).getByRole('button', { name: 'Go to Request', exact: true });
    await workbench().click(again, tabOf('other.jsonl'));
  });

  it('keeps the results of both runs of a file, and compares them, many pairs in one editor', async () => {
    const batchId = await createBatch(workbench(), 'runs.jsonl');
    await endBatches(workbench(), emulator(), 'runs.jsonl');
    const before = workbench().fileText('runs.results.jsonl');
    await workbench().command('managedAgents.batch.fetchResults', { connection: 'Lab', batchId });
    await workbench().notification('Results of runs.jsonl: ');
    assert.equal(workbench().fileText('runs.results.jsonl'), before);
    assert.notEqual(workbench().fileText('runs.results-2.jsonl'), '');
    await workbench().runCommand('Managed Agents: Compare Results With...', listed('runs.jsonl'));
    await workbench().quickPick('runs.jsonl', `${picker} :text("The same file")`);
    await workbench().quickPick('runs.jsonl', comparisonTab('Two runs of runs.jsonl'));
    const frame = await workbench().webview('.verdict');
    await workbench().click(
      frame.getByRole('button', { name: 'Show Differences in One Editor' }),
      '.multiDiffEntry, .monaco-component.multiDiffEditor',
    );
    await workbench().screenshot('compare-together');
    await workbench().command('workbench.action.closeActiveEditor');
    await workbench().webview('.verdict');
    await workbench().panelWrittenDown('Two runs of runs.jsonl');
    await workbench().reloadWindow();
    await workbench().waitFor(comparisonTab('Two runs of runs.jsonl'));
    const again = await workbench().webview('.verdict:has-text(", p ")');
    await again.getByText('Cost of requests in both').waitFor();
    await workbench().pictures('compare-reloaded');
  });

  it('exports what is chosen, in the form that is chosen, to a new file', async () => {
    await workbench().runCommand('Managed Agents: Export Results...', listed('other.jsonl'));
    await workbench().quickPick('other.jsonl', listed('What a query fits'));
    await workbench().screenshot('export-what');
    await workbench().quickPick('What a query fits', `${picker} :text("For instance: state=errored")`);
    await workbench().untilSeen(`${picker} :text("Did you mean")`, () => workbench().fillInput('stat=errored'));
    await workbench().screenshot('export-query');
    await workbench().inputBox('state=errored or id=greet-1', listed('CSV for Excel'));
    await workbench().screenshot('export-form');
    await workbench().quickPick('a table, safe', listed('Requests and answers'));
    await workbench().quickPick('Requests and answers');
    assert.match(await workbench().notification('exported to other.results.csv'), /\d+ results? w(?:as|ere) exported/);
    const [head, ...rows] = workbench().fileText('other.results.csv').split('\r\n');
    assert.equal(head, 'id,line,state,stop_reason,error_type,error_message,input_tokens,output_tokens,text,model,prompt');
    assert.ok(
      rows.slice(0, -1).every(row => /^greet-\d+,\d+,(?:errored|succeeded),.*,vendor-haiku-4-5,"Say hello, greet-\d+\."$/.test(row)),
    );
  });
});
