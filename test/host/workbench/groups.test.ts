import assert from 'node:assert/strict';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const duration = 600_000;
const dialog = '.monaco-dialog-box';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const seven = (prefix: string) =>
  Array.from({ length: 7 }, (_, index) => `${JSON.stringify({ custom_id: `${prefix}${index + 1}`, params })}\n`).join('');

describe('a group of batches @nightly', () => {
  // Canceled batches end when the clock advances.
  const emulator = useEmulator({ key, scenario: { batchDuration: duration, cancelDuration: duration } });
  const workbench = useWorkbench(() => ({
    files: { 'large.jsonl': seven('l'), 'broken-off.jsonl': seven('b') },
    settings: {
      ...connectedTo(emulator()),
      'managedAgents.connections': { Lab: { baseUrl: emulator().url, maxRequests: 3 } },
      'managedAgents.batches.notify': 'never',
      'managedAgents.results.fetchWhenEnded': false,
    },
  }));
  before('give the key and show the view', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.setKey(key);
    await w.waitFor('.welcome-view-content:visible:has-text("No batches yet")');
  });

  const creates = () => emulator().requests.filter(({ method }) => method === 'POST').length;
  const rowOf = (file: string, state: string | RegExp) => workbench().row(file).filter({ hasText: state });
  /** Returns the row of a file's run after all its parts have been sent. */
  const wholeRow = (file: string) => rowOf(file, 'running for').filter({ hasNotText: 'sent' });
  const openSheet = async (file: string) => {
    await workbench().openFile(file);
    await workbench().beginCommand(workbench().sheetTab(file), 'managedAgents.batch.create');
  };

  it('is created with one click from a file over the limits, and is one row whose page lists its parts', async () => {
    const w = workbench();
    await openSheet('large.jsonl');
    await w.sheetSays('large.jsonl', /Sent as 3 batches of at most 3 requests, shown as one\./);
    await w.screenshot('group-sheet');
    await w.createFromSheet('large.jsonl', 'Send 7 Requests');
    await wholeRow('large.jsonl').waitFor();
    assert.equal((await w.treeRows()).filter(row => row.includes('large.jsonl')).length, 1);
    await w.screenshot('group-row');
    await w.clickTreeRow('large.jsonl', '.tab.active[aria-label*="Batch of large.jsonl"]');
    const page = await w.webview('body:has(td:text("Part 2, lines 4 to 6"))');
    assert.equal(await page.getByRole('link', { name: /^msgbatch_/ }).count(), 3);
    await w.screenshot('group-page');
    await w.closeEditors();
    assert.equal(creates(), 3);
  });

  it('is fetched into one file in the order of the input', async () => {
    const w = workbench();
    await emulator().advanceClock(duration);
    await w.beginCommand(rowOf('large.jsonl', '7 answered'), 'managedAgents.refresh');
    await w.treeMenu('large.jsonl', 'Fetch Results', w.toast(/[Rr]esults of large\.jsonl/));
    await w.notification('Results of large.jsonl: 7 succeeded.');
    await w.screenshot('group-fetched');
    const joined = w.fileText('large.results.jsonl').trim().split('\n');
    assert.deepEqual(
      joined.map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7'],
    );
    await w.notificationButton('Results of large.jsonl: 7 succeeded.', 'Show Results');
    await w.waitFor('.tab:has-text("Results of large.jsonl")');
  });

  it('keeps what was sent when it is interrupted, sends the rest on request, and is canceled and deleted as one', async () => {
    const w = workbench();
    const before = creates();
    await openSheet('broken-off.jsonl');
    await w.sheetSays('broken-off.jsonl', 'Send 7 Requests');
    const route = 'batches.create';
    // The first create fails without an effect, the next one is refused.
    emulator().setScenario({
      faults: [
        { name: 'slowBody', route, times: 1, bytes: 1_000_000, pause: 0 },
        { name: 'rateLimit', route, seconds: 1 },
      ],
    });
    await w.createFromSheet('broken-off.jsonl', 'Send 7 Requests');
    assert.match(await w.notification('Part 2 of 3 was not sent.'), /1 of 3 parts of broken-off\.jsonl were sent before/);
    emulator().setScenario({ faults: [] });
    await rowOf('broken-off.jsonl', '1 of 3 sent').waitFor();
    await w.screenshot('group-broken-off');
    await w.notificationButton('Part 2 of 3 was not sent.', 'Send Remaining Parts');
    assert.match(await w.dialogText(), /Send the 2 remaining parts of broken-off\.jsonl, of 3\?/);
    await w.screenshot('group-resume');
    await w.dialogButton('Send Remaining Parts');
    await wholeRow('broken-off.jsonl').waitFor();
    assert.equal(creates(), before + 4);
    await w.treeMenu('broken-off.jsonl', 'Cancel Run...', dialog);
    await w.dialogButton('Cancel 3 Batches');
    await rowOf('broken-off.jsonl', 'canceling').waitFor();
    await emulator().advanceClock(duration);
    // The row shows the results once all three batches have ended.
    await w.beginCommand(rowOf('broken-off.jsonl', /\d canceled/), 'managedAgents.refresh');
    await w.treeMenu('broken-off.jsonl', 'Delete...', dialog);
    await w.dialogButton('Delete 3 Batches');
    await w.row('broken-off.jsonl').waitFor({ state: 'detached' });
  });
});
