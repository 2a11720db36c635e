import assert from 'node:assert/strict';
import { picker } from '../page/quickInputs';
import { createBatch, createdBatch, endAndFetch, endBatches, enterBatches } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const params = (text: string, more: object = {}) => ({
  model: 'vendor-sonnet-5',
  max_tokens: 64,
  messages: [{ role: 'user', content: text }],
  ...more,
});
const toText = (requests: readonly object[]) => requests.map(request => `${JSON.stringify(request)}\n`).join('');
const mixed = [
  ...Array.from({ length: 12 }, (_, n) => ({ custom_id: `m${n + 1}`, params: params(`Say hello ${n + 1}.`) })),
  { custom_id: 'busy1', params: params('One. [emulate: error overloaded_error]') },
  { custom_id: 'busy2', params: params('Two. [emulate: error overloaded_error]') },
  { custom_id: 'late', params: params('Three. [emulate: expired]') },
  { custom_id: 'cut', params: params('Four. [emulate: max_tokens]') },
  { custom_id: 'no', params: params('Five. [emulate: refusal]') },
  { custom_id: 'hot1', params: params('Six.', { model: 'vendor-opus-5', temperature: 0.5 }) },
  { custom_id: 'hot2', params: params('Seven.', { model: 'vendor-opus-5', temperature: 0.7 }) },
];
const many = Array.from({ length: 60 }, (_, n) => ({ custom_id: `c${n + 1}`, params: params(`Count to ${n + 1}.`) }));

const greetings = (model: string) =>
  Array.from({ length: 14 }, (_, n) => ({ custom_id: `greet-${n + 1}`, params: params(`Say hello, greet-${n + 1}.`, { model }) }));

const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const pageTab = (title: string) => `.tab.active:has-text(${JSON.stringify(title)})`;

describe('after a batch @ci', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: {
      'mixed.jsonl': toText(mixed),
      'many.jsonl': toText(many),
      'runs.jsonl': toText(greetings('vendor-sonnet-5')),
      'other.jsonl': toText(greetings('vendor-haiku-4-5')),
      'other.expect.jsonl': toText([{ contains: 'e', max_output_tokens: 100_000 }]),
    },
    settings: {
      ...connectedTo(emulator()),
      'managedAgents.batches.notify': 'problems',
      'managedAgents.estimate.prices': {
        'vendor-sonnet-5': { input: 3, output: 15 },
        'vendor-haiku-4-5': { input: 1, output: 5 },
        'vendor-opus-5': { input: 15, output: 75 },
      },
    },
  }));
  let mixedId: string;

  before('fetch the results of a batch', async () => {
    await enterBatches(workbench(), emulator());
    mixedId = await createBatch(workbench(), 'mixed.jsonl');
    await endAndFetch(workbench(), emulator(), 'mixed.jsonl', mixedId);
  });

  const ids = (file: string): readonly string[] =>
    workbench()
      .fileText(file)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).custom_id);

  it('resends requests without a good result, with the fix of each cause, or writes them to a file', async () => {
    const w = workbench();
    const before = w.fileText('mixed.jsonl');
    const tab = w.sheetTab('mixed.jsonl');
    await w.beginCommand(tab, 'managedAgents.retry.plan', { connection: 'Lab', batchId: mixedId });
    await w.sheetSays('mixed.jsonl', /^2 overloaded_error/);
    await w.sheetSays('mixed.jsonl', /^1 cut short \(max_tokens\): Raise max_tokens, 64 to 256$/);
    await w.screenshot('retry-sheet');
    await w.sheetButton('mixed.jsonl', 'Write Retry File Instead', tabOf('mixed.retry.jsonl'));
    await w.screenshot('retry-written');
    assert.deepEqual(ids('mixed.retry.jsonl'), ['busy1', 'busy2', 'late', 'cut']);
    const cut = w.fileText('mixed.retry.jsonl').trim().split('\n').at(-1) ?? '';
    assert.equal(cut, JSON.stringify(mixed.find(({ custom_id }) => custom_id === 'cut')).replace('"max_tokens":64', '"max_tokens":256'));
    await w.beginCommand(`${tab}.active`, 'managedAgents.retry.plan', { connection: 'Lab', batchId: mixedId });
    const cause = (await w.sheet('mixed.jsonl')).getByRole('checkbox', { name: /temperature/ });
    await w.untilDone(timeout => cause.check({ timeout }));
    await w.sheetSays('mixed.jsonl', /^6 requests to /);
    await w.createFromSheet('mixed.jsonl', 'Send 6 Requests');
    await createdBatch(w, 'mixed.jsonl', { requests: 6 });
    assert.equal(w.fileText('mixed.jsonl'), before, 'the file stays as it is');
  });

  it('sends a trial, shows its outcome, and sends the rest', async () => {
    const w = workbench();
    emulator().setScenario({ cutShortPercent: 20 });
    await w.openViewContainer('Managed Agents');
    await w.openFile('many.jsonl');
    await w.runCommand('Managed Agents: Create and Send Batch...', w.sheetTab('many.jsonl'));
    await w.chooseInSheet('many.jsonl', /^Trial: 10 first$/);
    await w.sheetSays('many.jsonl', /^10 requests to /);
    await w.screenshot('trial-sheet');
    await w.createFromSheet('many.jsonl', 'Send 10 Requests');
    const batchId = await createdBatch(w, 'many.jsonl', { requests: 10 });
    await endBatches(w, emulator(), 'many.jsonl');
    await w.command('managedAgents.batch.fetchResults', { connection: 'Lab', batchId });
    await w.clearNotifications();
    await w.beginCommand(w.sheetTab('many.jsonl'), 'managedAgents.batch.create');
    await w.sheetSays('many.jsonl', /^Trial: 8 of 10 succeeded, .* Expect \d+ to \d+% of the remaining 50 to succeed\./);
    await w.sheetSays('many.jsonl', 'Without a good result: 2');
    await w.sheetSays('many.jsonl', 'Send 50 Requests');
    await w.screenshot('trial-rest');
  });

  describe('opens the sheet of two files, of which the second has errors', () => {
    before('fetch the results of both', async () => {
      emulator().setScenario({ cutShortPercent: 15 });
      await endAndFetch(workbench(), emulator(), 'runs.jsonl', await createBatch(workbench(), 'runs.jsonl'));
      emulator().setScenario({ erroredPercent: 30 });
      await endAndFetch(workbench(), emulator(), 'other.jsonl', await createBatch(workbench(), 'other.jsonl'));
    });

    const title = 'vendor-sonnet-5 and vendor-haiku-4-5';

    async function compare(): Promise<void> {
      await workbench().openFile('other.jsonl');
      await workbench().runCommand('Managed Agents: Compare Runs...', listed('other.jsonl'));
      await workbench().screenshot('compare-run');
      await workbench().quickPick('other.jsonl', `${picker} :text("Other files")`);
      await workbench().screenshot('compare-choose');
      await workbench().quickPick('runs.jsonl', pageTab(title));
    }

    it('compares two runs: what became worse, both answers of each request worst first, and follow-up actions', async () => {
      await compare();
      const frame = await workbench().webview('.summary:has-text(" worse, ")');
      await frame.locator('#row-0').filter({ hasText: 'worse' }).filter({ hasText: 'failed' }).waitFor();
      await workbench().click(frame.getByText('Details'), frame.getByText('Answers are judged by other.expect.jsonl.'));
      await workbench().screenshot('compare-table');
      const pair = frame.getByRole('region', { name: /^Both answers to greet-/ });
      await workbench().click(frame.locator('#row-0'), pair.locator('.part.isProblem'));
      await workbench().screenshot('compare-pair');
      await workbench().click(pair.getByRole('button', { name: 'Show Difference', exact: true }), '.monaco-diff-editor');
      await workbench().screenshot('compare-difference');
      await workbench().command('workbench.action.closeActiveEditor');
      const together = (await workbench().webview('.summary')).getByRole('button', { name: 'Show Differences in One Editor' });
      await workbench().click(together, '.multiDiffEntry, .monaco-component.multiDiffEditor');
      await workbench().screenshot('compare-together');
      await workbench().command('workbench.action.closeActiveEditor');
      const request = (await workbench().webview('.summary')).getByRole('button', { name: 'Go to Request', exact: true });
      await workbench().click(request, tabOf('other.jsonl'));
    });

    it('restores the comparison in a reloaded window @nightly', async () => {
      await compare();
      await workbench().panelWrittenDown(title);
      await workbench().reloadWindow();
      const tab = workbench().page.locator(`.tab:has-text("${title}")`).first();
      await workbench().untilThere(pageTab(title), timeout => tab.click({ timeout }));
      const again = await workbench().webview('.summary:has-text(" worse, ")');
      await again.getByText('Cost').waitFor();
      await workbench().screenshot('compare-reloaded');
    });

    it('exports selected results in the selected format to a new file @nightly', async () => {
      await workbench().openFile('other.jsonl');
      await workbench().runCommand('Managed Agents: Export Results...', listed('other.jsonl'));
      await workbench().quickPick('other.jsonl', listed('CSV for Excel'));
      await workbench().screenshot('export-form');
      await workbench().quickPick('for spreadsheets', listed('Requests and answers'));
      await workbench().quickPick('Requests and answers');
      assert.match(await workbench().notification('exported to other.results.csv'), /exported to other\.results\.csv: 14\b/);
      const [head, ...rows] = workbench().fileText('other.results.csv').split('\r\n');
      assert.equal(
        head,
        'id,line,status,stop_reason,error_type,error_message,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost,text,model,prompt',
      );
      assert.ok(rows.slice(0, -1).every(row => /^greet-\d+,\d+,[a-z ]+,.*,vendor-haiku-4-5,"Say hello, greet-\d+\."$/.test(row)));
    });
  });
});
