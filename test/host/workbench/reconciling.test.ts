import assert from 'node:assert/strict';
import type { Fault } from '../../../src/emulator/faults';
import { batchOf, call } from '../../helpers/emulatorClient';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const duration = 600_000;
const dialog = '.monaco-dialog-box';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const file = (...ids: readonly string[]) => `${ids.map(custom_id => JSON.stringify({ custom_id, params })).join('\n')}\n`;

describe('what became of a lost answer', () => {
  // What is canceled stays so until the clock is moved.
  const emulator = useEmulator({ key, scenario: { batchDuration: duration, cancelDuration: duration } });
  const workbench = useWorkbench(() => ({
    files: {
      'lost.jsonl': file('l1', 'l2'),
      'never.jsonl': file('n1', 'n2', 'n3'),
      'stopped.jsonl': file('s1'),
      'elsewhere.jsonl': file('r0', 'r1', 'r2', 'r3'),
    },
    settings: connectedTo(emulator()),
  }));
  before('give the key and show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
  });

  const creates = () => emulator().requests.filter(({ method, path }) => method === 'POST' && !path.includes('/cancel')).length;
  const rowOf = (name: string, state: string) => workbench().row(name).filter({ hasText: state });

  async function createWith(name: string, ...faults: readonly Fault[]): Promise<void> {
    await workbench().openFile(name);
    await workbench().beginCommand(workbench().sheetTab(name), 'managedAgents.batch.create');
    await workbench().sheetSays(name, /^Create Batch of/);
    emulator().setScenario({ faults });
    await workbench().createFromSheet(name);
  }

  it('is shown in its row and, step by step, on a page', async () => {
    const w = workbench();
    await createWith('lost.jsonl', { name: 'lostReplyAfterCommit', route: 'batches.create', times: 1 });
    await w.notificationButton('It is not known whether a batch was created from lost.jsonl', 'It Was Not Created');
    assert.match(await w.dialogText(), /msgbatch_\S+ can be the one/);
    await w.screenshot('reconciling-not-created');
    await w.dialogButton('Cancel');
    await w.clearNotifications();
    await w.treeRow('one batch can be it');
    await w.screenshot('reconciling-row');
    await w.treeMenu('one batch can be it', 'Find Out What Happened', '.tab.active[aria-label^="Preview "]');
    for (const part of ['A question for you', 'No answer told', '1 of 1 batches can be it', 'It still runs; its results will tell.']) {
      await w.webview(`body:has(h1:has-text("lost.jsonl")):has-text(${JSON.stringify(part)})`);
    }
    await w.notification('It is not known whether a batch was created from lost.jsonl');
    await w.clearNotifications();
    await w.pictures('reconciling-steps');
  });

  it('is found out by itself when the ids in the results prove it, without a second create', async () => {
    const before = creates();
    await emulator().advanceClock(duration);
    await workbench().beginCommand(rowOf('lost.jsonl', '2 succeeded'), 'managedAgents.batches.refresh');
    assert.equal(creates(), before);
  });

  it('can be forgotten when no batch came of it', async () => {
    const w = workbench();
    await createWith('never.jsonl', { name: 'lostReplyBeforeCommit', route: 'batches.create', times: 1 });
    await w.notification('It is not known whether a batch was created from never.jsonl');
    await w.clearNotifications();
    await rowOf('never.jsonl', 'no batch found so far').waitFor();
    await w.treeMenu('no batch found so far', 'Forget Submission', dialog);
    assert.match(await w.dialogText(), /It is not known whether a batch was created/);
    await w.screenshot('reconciling-forget');
    await w.dialogButton('Forget Submission');
    await w.waitForNone('.monaco-list-row[aria-label*="never.jsonl"]');
  });

  it('offers to cancel the batch of a sending that was stopped too late', async () => {
    const w = workbench();
    await createWith('stopped.jsonl', { name: 'stall', bytes: 0, route: 'batches.create', times: 1 });
    await w.sheetSays('stopped.jsonl', /Waiting for its answer/);
    await w.sheetButton('stopped.jsonl', 'Cancel sending', w.toast('lists one batch that can be it'));
    await w.notificationButton('lists one batch that can be it', 'Adopt Batch');
    await w.toast('was created all the same').waitFor();
    await w.screenshot('reconciling-stopped');
    await w.notificationButton('was created all the same', 'Cancel Batch...');
    await w.dialogButton('Cancel Batch');
    await rowOf('stopped.jsonl', 'canceling').waitFor();
  });

  it('links a batch that was made elsewhere to its file, after it said what fits', async () => {
    const w = workbench();
    await call(emulator(), 'POST', '/v1/messages/batches?beta=true', batchOf('a', 'b', 'c', 'd'));
    await emulator().advanceClock(duration);
    await w.openFile('elsewhere.jsonl');
    await w.beginCommand(w.row('4 succeeded'), 'managedAgents.batches.refresh');
    await w.treeMenu('4 succeeded', 'Link Batch to a File...', dialog);
    assert.match(await w.dialogText(), /Fits: both have 4 requests/);
    await w.screenshot('reconciling-link');
    await w.dialogButton('Link');
    await rowOf('elsewhere.jsonl', '4 succeeded').waitFor();
  });
});
