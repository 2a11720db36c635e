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

describe('what comes after a batch @ci', () => {
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

  async function planRetry(cause: string): Promise<void> {
    await workbench().beginCommand(listed(cause), 'managedAgents.retry.plan', { connection: 'Lab', batchId: mixedId });
  }

  it('plans a retry by cause, shows the plan, and writes what is worth sending again', async () => {
    await workbench().runCommand('Managed Agents: Plan Retry', listed('overloaded_error'));
    await workbench().screenshot('retry-plan');
    await workbench().acceptPick();
    assert.match(await workbench().notification('Wrote 4 requests to mixed.retry.jsonl'), /Left out: 3 \(/);
    await workbench().screenshot('retry-written');
    assert.deepEqual(ids('mixed.retry.jsonl'), ['busy1', 'busy2', 'late', 'cut']);
    const cut = workbench().fileText('mixed.retry.jsonl').trim().split('\n').at(-1) ?? '';
    assert.equal(cut, JSON.stringify(mixed.find(({ custom_id }) => custom_id === 'cut')).replace('"max_tokens":64', '"max_tokens":256'));
  });

  it('fixes all requests of a cause in the open file at once, after a look, and Undo takes it back @nightly', async () => {
    await workbench().openFile('mixed.jsonl');
    const before = workbench().fileText('mixed.jsonl');
    await planRetry('temperature');
    const row = workbench().page.locator(listed('temperature'));
    await workbench().untilSeen('.monaco-dialog-box', async timeout => {
      await workbench().page.mouse.move(0, 0);
      await row.hover({ timeout });
      await row.locator('.action-label[aria-label="Fix All of Them in the Source File"]').click({ timeout });
    });
    assert.match(await workbench().dialogText(), /Change 2 requests: remove temperature\?/);
    await workbench().screenshot('retry-fix');
    await workbench().dialogButton('Change 2 Requests');
    await workbench().notification('Changed 2 requests in mixed.jsonl: remove temperature.');
    await workbench().waitFor(tabOf('mixed.jsonl', '.dirty'));
    await workbench().save();
    assert.equal(workbench().fileText('mixed.jsonl'), before.replace(/,"temperature":0\.[57]/g, ''));
    await workbench().beginCommand(tabOf('mixed.jsonl', '.dirty'), 'undo');
    await workbench().save();
    assert.equal(workbench().fileText('mixed.jsonl'), before);
  });

  it('shows the whole plan as a page @nightly', async () => {
    await planRetry('overloaded_error');
    await workbench().click(
      `${picker} .quick-input-titlebar .action-label[aria-label="Show the Whole Plan"]`,
      pageTab('Retry of mixed.jsonl'),
    );
    await workbench().webview('h1:has-text("Retry of mixed.jsonl")');
    await workbench().screenshot('retry-page');
  });

  it('sends a canary, judges it, and sends the rest without what it answered', async () => {
    const verdict = pageTab('Canary of many.jsonl');
    emulator().setScenario({ cutShortPercent: 20 });
    await workbench().openViewContainer('Managed Agents');
    await workbench().openFile('many.jsonl');
    await workbench().runCommand('Managed Agents: Create Canary Batch', `${picker}:has-text("How many of the 60 requests")`);
    await workbench().screenshot('canary-size');
    await workbench().inputBox('10', workbench().sheetTab('many.jsonl'));
    await workbench().createFromSheet('many.jsonl', /^Create/);
    const batchId = await createdBatch(workbench(), 'many.jsonl', { requests: 10 });
    await endBatches(workbench(), emulator(), 'many.jsonl');
    await workbench().command('managedAgents.batch.fetchResults', { connection: 'Lab', batchId });
    assert.match(await workbench().notification('Canary of many.jsonl: 8 of 10 have a good answer.'), /cut short at max_tokens/);
    await workbench().screenshot('canary-verdict');
    await workbench().notificationButton('Canary of many.jsonl', 'Show Verdict');
    await workbench().waitFor(verdict);
    await workbench().webview('h1:has-text("Canary of many.jsonl")');
    await workbench().screenshot('canary-page');
    await workbench().clearNotifications();
    await workbench().closeEditors();
    await workbench().row('many.jsonl').filter({ hasText: 'Send the rest (50)' }).waitFor();
    const sheetTab = workbench().sheetTab('many.jsonl');
    await workbench().runCommandAndPick('Managed Agents: Send the Rest After a Canary', 'many.jsonl', sheetTab);
    const sheet = await workbench().sheet('many.jsonl');
    await sheet.locator('.sheet', { hasText: '50 of 60: those that are left: 50 new' }).waitFor();
    await workbench().screenshot('canary-rest');
  });

  describe('of two files, of which the second has errors', () => {
    before('fetch the results of both', async () => {
      emulator().setScenario({ cutShortPercent: 15 });
      await endAndFetch(workbench(), emulator(), 'runs.jsonl', await createBatch(workbench(), 'runs.jsonl'));
      emulator().setScenario({ erroredPercent: 30 });
      await endAndFetch(workbench(), emulator(), 'other.jsonl', await createBatch(workbench(), 'other.jsonl'));
    });

    const title = 'vendor-sonnet-5 and vendor-haiku-4-5';

    async function compare(): Promise<void> {
      await workbench().runCommand('Managed Agents: Compare Runs...', listed('other.jsonl'));
      await workbench().screenshot('compare-run');
      await workbench().quickPick('other.jsonl', `${picker} :text("Other files")`);
      await workbench().screenshot('compare-choose');
      await workbench().quickPick('runs.jsonl', pageTab(title));
    }

    it('compares two runs: what became worse, both answers of each request what is worse first, and what leads on from there', async () => {
      await compare();
      const frame = await workbench().webview('.verdict:has-text(" worse, ")');
      await frame.locator('#row-0').filter({ hasText: 'worse' }).filter({ hasText: 'failed' }).waitFor();
      await workbench().click(frame.getByText('Details'), frame.getByText('Answers are judged by other.expect.jsonl.'));
      await workbench().pictures('compare-table');
      const pair = frame.getByRole('region', { name: /^Both answers to greet-/ });
      await workbench().click(frame.locator('#row-0'), pair.locator('.part.isProblem'));
      await workbench().pictures('compare-pair');
      await workbench().click(pair.getByRole('button', { name: 'Show Difference', exact: true }), '.monaco-diff-editor');
      await workbench().screenshot('compare-difference');
      await workbench().command('workbench.action.closeActiveEditor');
      const together = (await workbench().webview('.verdict')).getByRole('button', { name: 'Show Differences in One Editor' });
      await workbench().click(together, '.multiDiffEntry, .monaco-component.multiDiffEditor');
      await workbench().screenshot('compare-together');
      await workbench().command('workbench.action.closeActiveEditor');
      const request = (await workbench().webview('.verdict')).getByRole('button', { name: 'Go to Request', exact: true });
      await workbench().click(request, tabOf('other.jsonl'));
    });

    it('shows the comparison again in a reloaded window @nightly', async () => {
      await compare();
      await workbench().panelWrittenDown(title);
      await workbench().reloadWindow();
      const tab = workbench().page.locator(`.tab:has-text("${title}")`).first();
      await workbench().untilThere(pageTab(title), timeout => tab.click({ timeout }));
      const again = await workbench().webview('.verdict:has-text(" worse, ")');
      await again.getByText('Cost of requests in both').waitFor();
      await workbench().pictures('compare-reloaded');
    });

    it('exports what is chosen, in the form that is chosen, to a new file @nightly', async () => {
      await workbench().runCommand('Managed Agents: Export Results...', listed('other.jsonl'));
      await workbench().quickPick('other.jsonl', listed('CSV for Excel'));
      await workbench().screenshot('export-form');
      await workbench().quickPick('a table, safe', listed('Requests and answers'));
      await workbench().quickPick('Requests and answers');
      assert.match(await workbench().notification('exported to other.results.csv'), /\d+ results? w(?:as|ere) exported/);
      const [head, ...rows] = workbench().fileText('other.results.csv').split('\r\n');
      assert.equal(
        head,
        'id,line,status,stop_reason,error_type,error_message,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost,text,model,prompt',
      );
      assert.ok(rows.slice(0, -1).every(row => /^greet-\d+,\d+,[a-z ]+,.*,vendor-haiku-4-5,"Say hello, greet-\d+\."$/.test(row)));
    });
  });
});
