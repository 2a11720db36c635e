import assert from 'node:assert/strict';
import type { Fault } from '../../../src/emulator/faults';
import { batchOf, call } from '../../helpers/emulatorClient';
import { picker } from '../page/quickInputs';
import { createdBatch } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (id: string, change: object = {}) => ({ custom_id: id, params: { ...params, ...change } });
const duration = 600_000;
const dialog = '.monaco-dialog-box';
const keyBox = `${picker} input[type="password"]`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

describe('creating a batch @ci', () => {
  // A canceled batch stays `canceling` until the clock advances.
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: duration, cancelDuration: duration } });
  const workbench = useWorkbench(() => ({
    files: {
      'requests.jsonl': lines(request('a'), request('b'), request('c')),
      'lost.jsonl': lines(request('l1'), request('l2')),
      'never.jsonl': lines(request('n1'), request('n2'), request('n3'), request('n4')),
      'busy.jsonl': lines(request('r1')),
      'refused.jsonl': lines(request('s1'), request('s2', { fallback_credit_token: { token: 'credit' } })),
      'waiting.jsonl': lines(request('w1')),
      'explorer.jsonl': lines(request('e1')),
      'answers.jsonl': lines({ custom_id: 'x1', result: { type: 'canceled' } }),
      'forgotten.jsonl': lines(request('f1'), request('f2'), request('f3')),
      'stopped.jsonl': lines(request('s1')),
      'elsewhere.jsonl': lines(request('r0'), request('r1'), request('r2'), request('r3')),
      'prose.jsonl': 'no requests in here\n',
    },
    settings: { ...connectedTo(emulator()), 'files.autoSave': 'off' },
  }));

  const creates = () => emulator().requests.filter(({ method, path }) => method === 'POST' && !path.includes('/cancel')).length;
  const rowOf = (name: string, state: string) => workbench().row(name).filter({ hasText: state });

  /** Opens a file and its sheet. */
  async function create(file: string): Promise<void> {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Create and Send Batch...', workbench().sheetTab(file));
  }

  async function createWith(file: string, ...faults: readonly Fault[]): Promise<void> {
    await create(file);
    await workbench().sheet(file);
    emulator().setScenario({ faults });
    await workbench().createFromSheet(file);
  }

  it('asks for a missing key, asks once with all facts, creates the batch, and warns when the same is sent again', async () => {
    await workbench().openFile('requests.jsonl');
    await workbench().runCommand('Managed Agents: Create and Send Batch...', keyBox);
    await workbench().inputBox('key-of-the-tests');
    const { host } = new URL(emulator().url);
    for (const part of ['Send 3 Requests', 'Connection: Lab', `3 requests to ${host}, 1 model`, 'No problems']) {
      await workbench().sheetSays('requests.jsonl', part);
    }
    await workbench().screenshot('submit-confirm');
    assert.equal(creates(), 0);
    await workbench().createFromSheet('requests.jsonl');
    await createdBatch(workbench(), 'requests.jsonl', { requests: 3 });
    await workbench().screenshot('submit-created');
    assert.equal(creates(), 1);
    await workbench().openViewContainer('Managed Agents');
    assert.match(await workbench().treeRow('· 3 requests'), /requests\.jsonl.*running for/);
    // Only the row and the status bar show the new batch. A notification would be in the way.
    assert.deepEqual(await workbench().notifications(), []);
    await create('requests.jsonl');
    await workbench().sheetSays('requests.jsonl', 'Send 3 Requests Again');
    await workbench().sheetSays('requests.jsonl', /Already sent as msgbatch_/);
    await workbench().screenshot('submit-again');
    await workbench().closeSheet('requests.jsonl');
    assert.equal(creates(), 1);
  });

  it("is in the menu of the Explorer and of the tab if the file's content fits, whatever its name", async () => {
    const w = workbench();
    const sheet = w.sheetTab('explorer.jsonl');
    await w.openFile('explorer.jsonl');
    await w.codeLenses('Create Batch');
    await w.menuOf(w.page.locator(tabOf('explorer.jsonl')), ['Managed Agents', 'Create and Send Batch'], sheet);
    await w.closeSheet('explorer.jsonl');
    await w.command('workbench.files.action.focusFilesExplorer');
    await w.treeMenu('explorer.jsonl', ['Managed Agents', 'Create and Send Batch'], sheet);
    await w.closeSheet('explorer.jsonl');
    await w.command('workbench.files.action.focusFilesExplorer');
    const ofRequests = await w.entriesOf(w.row('explorer.jsonl'), 'Managed Agents');
    assert.deepEqual(ofRequests, ['Create and Send Batch...', 'Edit All Requests...', 'Fix Problems...', 'Arrange Requests...']);
    assert.deepEqual(await w.entriesOf(w.row('answers.jsonl'), 'Managed Agents'), ['Show Results', 'Compare Runs...', 'Export Results...']);
    const ofProse = await w.entriesOf(w.row('prose.jsonl'));
    assert.ok(ofProse.length > 5 && !ofProse.includes('Managed Agents'), ofProse.join());
  });

  it('says that nothing was created when the service rejects it, and retries only on request', async () => {
    const before = creates();
    await createWith('busy.jsonl', { name: 'rateLimit', route: 'batches.create', seconds: 7 });
    const text = await workbench().notification('No batch was created from busy.jsonl');
    assert.match(text, /429/);
    assert.match(text, /7 s/);
    await workbench().screenshot('submit-refused');
    assert.equal(creates(), before + 1);
    emulator().setScenario({ faults: [] });
    await workbench().notificationButton('No batch was created from busy.jsonl', 'Try Again');
    await workbench().createFromSheet('busy.jsonl', 'Send 1 Request');
    await createdBatch(workbench(), 'busy.jsonl', { requests: 1 });
    assert.equal(creates(), before + 2);
  });

  it('finds the batch of a lost response, shows the steps in its row and on a page, and lets the user adopt it', async () => {
    const w = workbench();
    const before = creates();
    await w.openViewContainer('Managed Agents');
    await createWith('lost.jsonl', { name: 'lostReplyAfterCommit', route: 'batches.create', times: 1 });
    const unknown = 'lost.jsonl may have created a batch';
    assert.match(await w.notification(unknown), /Possible batch: msgbatch_/);
    await w.screenshot('submit-unknown');
    await w.notificationButton(unknown, 'Mark as Not Created');
    assert.match(await w.dialogText(), /Possible batches: msgbatch_\S+/);
    await w.screenshot('reconciling-not-created');
    await w.dialogButton('Cancel');
    await w.clearNotifications();
    await w.treeRow('possible batches: 1');
    await w.screenshot('reconciling-row');
    await w.treeMenu('possible batches: 1', 'Show Submission Log', '.tab.active[aria-label^="Submission Log of "]');
    for (const part of ['Needs your decision', 'response was lost', 'Possible batch', 'Not compared yet.']) {
      await w.webview(`body:has(h1:has-text("lost.jsonl")):has-text(${JSON.stringify(part)})`);
    }
    await w.screenshot('reconciling-steps');
    await w.clearNotifications();
    await w.treeMenu('possible batches: 1', 'Show Submission Log', w.toast(unknown));
    await w.notificationButton(unknown, 'Use This Batch');
    await createdBatch(w, 'lost.jsonl', { requests: 2 });
    assert.equal(creates(), before + 1);
  });

  it('goes to the rejected line @nightly', async () => {
    await create('refused.jsonl');
    await workbench().createFromSheet('refused.jsonl');
    assert.match(await workbench().notification('No batch was created from refused.jsonl'), /See line 2\./);
    await workbench().screenshot('submit-line');
    await workbench().notificationButton('No batch was created from refused.jsonl', 'Go to Line 2');
    await workbench().cursorInLine(2);
  });

  it('treats a cancel after the whole body was sent as unknown, and sends nothing again @nightly', async () => {
    const before = creates();
    await createWith('waiting.jsonl', { name: 'stall', route: 'batches.create' });
    await workbench().sheetSays('waiting.jsonl', 'Waiting for Lab…');
    await workbench().screenshot('submit-sending');
    const unknown = 'waiting.jsonl may have created a batch';
    await workbench().sheetButton('waiting.jsonl', 'Cancel sending', workbench().toast(unknown));
    assert.match(await workbench().notification(unknown), /No batch found yet/);
    await workbench().notificationButton(unknown, 'Mark as Not Created');
    assert.match(await workbench().dialogText(), /sent only minutes ago/);
    await workbench().dialogButton('Mark as Not Created');
    assert.equal(creates(), before + 1);
  });

  it('sends a file that is too large for extensions @nightly', async () => {
    const long = 'x'.repeat(2_600);
    const text = Array.from(
      { length: 20_000 },
      (_, index) => `{"custom_id":"b${index}","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"${long}"}]}}\n`,
    );
    workbench().writeFile('big.jsonl', text.join(''));
    await workbench().openFile('big.jsonl');
    await workbench().runCommand('Managed Agents: Create and Send Batch...', workbench().sheetTab('big.jsonl'));
    await workbench().sheetSays('big.jsonl', /^20,000 requests to /);
    await workbench().createFromSheet('big.jsonl', 'Send 20,000 Requests');
    await createdBatch(workbench(), 'big.jsonl', { requests: 20_000 });
  });

  it("offers the workspace's request files when none is open @nightly", async () => {
    await workbench().runCommand('Managed Agents: Create and Send Batch...', listed('explorer.jsonl'));
    await workbench().fillInput('explorer');
    await workbench().waitForNone(listed('requests.jsonl'));
    await workbench().waitFor(listed('Browse...'));
    await workbench().screenshot('submit-pick');
    await workbench().quickPick('explorer.jsonl', workbench().sheetTab('explorer.jsonl'));
    await workbench().closeSheet('explorer.jsonl');
  });

  it('lets the user say that nothing was created, also later from the palette @nightly', async () => {
    const before = creates();
    await createWith('never.jsonl', { name: 'lostReplyBeforeCommit', route: 'batches.create' });
    const unknown = 'never.jsonl may have created a batch';
    assert.match(await workbench().notification(unknown), /No batch found yet/);
    await workbench().screenshot('submit-unknown-none');
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Show Submission Log', listed('never.jsonl'));
    await workbench().quickPick('never.jsonl');
    await workbench().notificationButton(unknown, 'Check Again');
    await workbench().notificationButton(unknown, 'Mark as Not Created');
    assert.match(await workbench().dialogText(), /sent only minutes ago/);
    await workbench().dialogButton('Mark as Not Created');
    assert.equal(creates(), before + 1);
  });

  it('can be forgotten if it created no batch @nightly', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await createWith('forgotten.jsonl', { name: 'lostReplyBeforeCommit', route: 'batches.create', times: 1 });
    await w.notification('forgotten.jsonl may have created a batch');
    await w.clearNotifications();
    await rowOf('forgotten.jsonl', 'no batch found').waitFor();
    await w.treeMenu('no batch found', 'Forget Submission', dialog);
    assert.match(await w.dialogText(), /If a batch exists, it runs and costs money/);
    await w.screenshot('reconciling-forget');
    await w.dialogButton('Forget Submission');
    await w.waitForNone('.monaco-list-row[aria-label*="forgotten.jsonl"]');
  });

  it('offers to cancel a batch that was stopped too late @nightly', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await createWith('stopped.jsonl', { name: 'stall', bytes: 0, route: 'batches.create', times: 1 });
    await w.sheetSays('stopped.jsonl', /Waiting for Lab/);
    await w.sheetButton('stopped.jsonl', 'Cancel sending', w.toast('Possible batch: '));
    await w.notificationButton('Possible batch: ', 'Use This Batch');
    await w.toast('was created although you stopped sending').waitFor();
    await w.screenshot('reconciling-stopped');
    await w.notificationButton('was created although you stopped sending', 'Cancel Batch...');
    await w.dialogButton('Cancel Batch');
    await rowOf('stopped.jsonl', 'canceling').waitFor();
  });

  it('links a batch created elsewhere to its file, after it showed what matches @nightly', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.showOnlyView('Batches');
    await call(emulator(), 'POST', '/v1/messages/batches?beta=true', batchOf('a', 'b', 'c', 'd'));
    await emulator().advanceClock(duration);
    await w.openFile('elsewhere.jsonl');
    await w.beginCommand(w.row('Other Batches'), 'managedAgents.refresh');
    await w.unfold('Other Batches', w.row('4 answered'));
    await w.treeMenu('4 answered', 'Link Batch to a File...', dialog);
    assert.match(await w.dialogText(), /Match: same number of requests \(4\)/);
    await w.screenshot('reconciling-link');
    await w.dialogButton('Link');
    await rowOf('elsewhere.jsonl', '4 answered').waitFor();
  });
});
