import assert from 'node:assert/strict';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const seven = (prefix: string) =>
  Array.from({ length: 7 }, (_, index) => `${JSON.stringify({ custom_id: `${prefix}${index + 1}`, params })}\n`).join('');

describe('a group of batches', function () {
  this.timeout(60_000);
  let emulator: Emulator;
  let w: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000 } });
    w = await Workbench.start({
      files: { 'large.jsonl': seven('l'), 'broken-off.jsonl': seven('b') },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url, maxRequests: 3 } },
        'managedAgents.connection': 'Lab',
        'managedAgents.batches.notify': 'never',
      },
    });
    await w.openViewContainer('Managed Agents');
    await w.welcomeButton('Set API Key');
    await w.inputBox('key-of-the-tests');
    await w.waitFor('.welcome-view-content :text("No batches yet")');
  });

  tidyUp(() => ({ workbench: w, emulator }));

  const creates = () => emulator.requests.filter(({ method }) => method === 'POST').length;
  const sheet = async (file: string) => {
    await w.openFile(file);
    await w.runCommand('Managed Agents: Create Batch...');
    return await w.sheetText(file);
  };

  it('is made at one press of a file over the limits, and shows as one row with its parts', async () => {
    const text = await sheet('large.jsonl');
    assert.match(text, /7 requests are more than the 3 of one batch\. It goes as 3 batches/);
    assert.match(text, /2\s+3\s+4 to 6/);
    await w.screenshot('group-sheet');
    await w.createFromSheet('large.jsonl', 'Create 3 Batches of 7 Requests');
    await w.notification('3 batches created from large.jsonl: 7 requests.');
    await w.clearNotifications();
    await w.row('large.jsonl').filter({ hasText: '3 batches in progress' }).waitFor();
    assert.equal((await w.treeRows()).filter(row => row.includes('large.jsonl')).length, 1);
    await w.row('large.jsonl').locator('.monaco-tl-twistie').click();
    await w.row('Part 2, lines 4 to 6').waitFor();
    await w.screenshot('group-row');
    assert.equal(creates(), 3);
  });

  it('is fetched into one file in the order of the input', async () => {
    await emulator.advanceClock(700_000);
    await w.runCommand('Managed Agents: Refresh Batches');
    await w.row('large.jsonl').filter({ hasText: '7 succeeded' }).waitFor();
    await w.treeMenu('large.jsonl', 'Fetch Results of All Parts');
    await w.notification('Results of large.jsonl: 7 succeeded.');
    await w.screenshot('group-fetched');
    const joined = w.fileText('large.results.jsonl').trim().split('\n');
    assert.deepEqual(
      joined.map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7'],
    );
    await w.notificationButton('Results of large.jsonl', 'Open Results');
    await w.waitFor('.tab.active[data-resource-name="large.results.jsonl"]');
  });

  it('keeps what was sent when it breaks off, sends the rest when told, and is canceled and deleted as one', async () => {
    const before = creates();
    await sheet('broken-off.jsonl');
    const refuse = setInterval(() => {
      if (creates() > before) {
        clearInterval(refuse);
        emulator.setScenario({ faults: [{ name: 'rateLimit', route: 'batches.create', seconds: 1 }] });
      }
    }, 1);
    await w.createFromSheet('broken-off.jsonl', 'Create 3 Batches of 7 Requests');
    assert.match(await w.notification('Part 2 of 3 was not sent.'), /1 of 3 parts of broken-off\.jsonl were sent before/);
    emulator.setScenario({ faults: [] });
    await w.row('broken-off.jsonl').filter({ hasText: '1 of 3 sent' }).waitFor();
    await w.screenshot('group-broken-off');
    await w.notificationButton('Part 2 of 3 was not sent.', 'Send Remaining Parts');
    assert.match(await w.dialogText(), /Send the 2 remaining parts of broken-off\.jsonl, of 3\?/);
    await w.screenshot('group-resume');
    await w.dialogButton('Send Remaining Parts');
    await w.notification('2 batches created from broken-off.jsonl: 4 requests.');
    await w.row('broken-off.jsonl').filter({ hasText: '3 batches in progress' }).waitFor();
    assert.equal(creates(), before + 4);
    await w.treeMenu('broken-off.jsonl', 'Cancel All Parts');
    await w.dialogButton('Cancel 3 Batches');
    await w.row('broken-off.jsonl').filter({ hasText: 'canceling' }).waitFor();
    // What became of the requests stands there only when all three have ended.
    await w
      .row('broken-off.jsonl')
      .filter({ hasText: /\d canceled/ })
      .waitFor();
    await w.treeMenu('broken-off.jsonl', 'Delete All Parts');
    await w.dialogButton('Delete 3 Batches');
    await w.row('broken-off.jsonl').waitFor({ state: 'detached' });
  });
});
