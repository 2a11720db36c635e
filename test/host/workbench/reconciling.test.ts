import assert from 'node:assert/strict';
import type { Emulator } from '../../../src/emulator/emulator';
import type { Fault } from '../../../src/emulator/scenarios';
import { startEmulator } from '../../../src/emulator/server';
import { batchOf, call } from '../../helpers/emulatorClient';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const duration = 600_000;
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const file = (...ids: readonly string[]) => `${ids.map(custom_id => JSON.stringify({ custom_id, params })).join('\n')}\n`;

describe('what became of a lost answer', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: duration } });
    workbench = await Workbench.start({
      files: {
        'lost.jsonl': file('l1', 'l2'),
        'never.jsonl': file('n1', 'n2', 'n3'),
        'stopped.jsonl': file('s1'),
        'elsewhere.jsonl': file('r0', 'r1', 'r2', 'r3'),
      },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
      },
    });
    await workbench.runCommand('Managed Agents: Set API Key...');
    await workbench.inputBox('key-of-the-tests');
    await workbench.openViewContainer('Managed Agents');
  });

  tidyUp(() => ({ workbench, emulator }));

  const creates = () => emulator.requests.filter(({ method, path }) => method === 'POST' && !path.includes('/cancel')).length;

  async function createWith(name: string, ...faults: readonly Fault[]): Promise<void> {
    await workbench.openFile(name);
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.sheet(name);
    emulator.setScenario({ faults });
    await workbench.createFromSheet(name);
  }

  it('is shown in its row and, step by step, on a page', async () => {
    await createWith('lost.jsonl', { name: 'lostReplyAfterCommit', route: 'batches.create', times: 1 });
    await workbench.notificationButton('It is not known whether a batch was created from lost.jsonl', 'It Was Not Created');
    assert.match(await workbench.dialogText(), /msgbatch_\S+ can be the one/);
    await workbench.screenshot('reconciling-not-created');
    await workbench.dialogButton('Cancel');
    await workbench.clearNotifications();
    await workbench.treeRow('one batch can be it');
    await workbench.screenshot('reconciling-row');
    await workbench.treeMenu('one batch can be it', 'Show What Happened');
    const page = await workbench.webview('h1:has-text("lost.jsonl")');
    const text = await page.locator('body').innerText();
    for (const part of ['A question for you', 'No answer came', '1 of 1 batches can be it', 'It still runs; its results will tell.']) {
      assert.ok(text.includes(part), `${part} is not in:\n${text}`);
    }
    await workbench.pictures('reconciling-steps');
  });

  it('is found out by itself when the ids in the results prove it, without a second create', async () => {
    const before = creates();
    await emulator.advanceClock(duration);
    await workbench.runCommand('Managed Agents: Refresh Batches');
    assert.match(await workbench.treeRow('2 succeeded'), /lost\.jsonl/);
    assert.equal(creates(), before);
    await workbench.clearNotifications();
  });

  it('can be forgotten when no batch came of it', async () => {
    await createWith('never.jsonl', { name: 'lostReplyBeforeCommit', route: 'batches.create', times: 1 });
    await workbench.notification('It is not known whether a batch was created from never.jsonl');
    await workbench.clearNotifications();
    await workbench.treeRow('no batch found so far');
    await workbench.treeMenu('no batch found so far', 'Forget Submission');
    assert.match(await workbench.dialogText(), /It is not known whether a batch was created/);
    await workbench.screenshot('reconciling-forget');
    await workbench.dialogButton('Forget Submission');
    await workbench.waitForNone('.monaco-list-row[aria-label*="never.jsonl"]');
  });

  it('offers to cancel the batch of a sending that was stopped too late', async () => {
    await createWith('stopped.jsonl', { name: 'stall', bytes: 0, route: 'batches.create', times: 1 });
    await (await workbench.sheet('stopped.jsonl')).getByText('Waiting for its answer').waitFor();
    await workbench.sheetButton('stopped.jsonl', 'Cancel sending');
    await workbench.notificationButton('lists one batch that can be it', 'Adopt Batch');
    await workbench.screenshot('reconciling-stopped');
    await workbench.notificationButton('was created all the same', 'Cancel Batch...');
    await workbench.dialogButton('Cancel Batch');
    await workbench.treeRow('canceling');
  });

  it('links a batch that was made elsewhere to its file, after it said what fits', async () => {
    await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('a', 'b', 'c', 'd'));
    await emulator.advanceClock(duration);
    await workbench.openFile('elsewhere.jsonl');
    await workbench.runCommand('Managed Agents: Refresh Batches');
    await workbench.treeRow('4 succeeded');
    await workbench.treeMenu('4 succeeded', 'Link Batch to a File...');
    const text = await workbench.dialogText();
    assert.match(text, /Fits: both have 4 requests/);
    await workbench.screenshot('reconciling-link');
    await workbench.dialogButton('Link');
    await workbench.waitFor('.monaco-list-row[aria-label*="elsewhere.jsonl"][aria-label*="4 succeeded"]');
  });
});
