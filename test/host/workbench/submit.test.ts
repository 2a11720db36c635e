import assert from 'node:assert/strict';
import type { Fault } from '../../../src/emulator/faults';
import { picker } from '../quickInputs.mjs';
import { createdBatch } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (id: string, change: object = {}) => ({ custom_id: id, params: { ...params, ...change } });
const keyBox = `${picker} input[type="password"]`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const three = lines(request('a'), request('b'), request('c'));

describe('creating a batch', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: {
      'requests.jsonl': three,
      'broken.jsonl': `${JSON.stringify(request('a'))}\n{"custom_id":"b","params":\n`,
      'lax.jsonl': lines(request('a'), request('b', { max_tokens: -1 })),
      'edited.jsonl': three,
      'lost.jsonl': lines(request('l1'), request('l2')),
      'never.jsonl': lines(request('n1'), request('n2'), request('n3'), request('n4')),
      'busy.jsonl': lines(request('r1')),
      'streamed.jsonl': lines(request('s1'), request('s2', { stream: true })),
      'waiting.jsonl': lines(request('w1')),
      'explorer.jsonl': lines(request('e1')),
      'answers.jsonl': lines({ custom_id: 'x1', result: { type: 'canceled' } }),
      'prose.jsonl': 'no requests in here\n',
      'bare.jsonl': lines(params, params),
    },
    settings: { ...connectedTo(emulator()), 'files.autoSave': 'off' },
  }));

  function creates(): number {
    return emulator().requests.filter(({ method }) => method === 'POST').length;
  }

  /** Opens a file and its sheet. */
  async function create(file: string): Promise<void> {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Create Batch...', workbench().sheetTab(file));
  }

  async function createWith(file: string, ...faults: readonly Fault[]): Promise<void> {
    await create(file);
    await workbench().sheet(file);
    emulator().setScenario({ faults });
    await workbench().createFromSheet(file);
  }

  it('leads to a missing key, asks once with all that matters, and creates the batch', async () => {
    await workbench().openFile('requests.jsonl');
    await workbench().runCommand('Managed Agents: Create Batch...', keyBox);
    await workbench().inputBox('key-of-the-tests');
    const { host } = new URL(emulator().url);
    for (const part of ['Create Batch of 3 Requests', `Lab, on ${host}`, 'requests.jsonl, as it is saved', 'vendor-sonnet-5 (3)']) {
      await workbench().sheetSays('requests.jsonl', part);
    }
    await workbench().screenshot('submit-confirm');
    assert.equal(creates(), 0);
    await workbench().createFromSheet('requests.jsonl');
    await createdBatch(workbench(), 'requests.jsonl', { requests: 3 });
    await workbench().screenshot('submit-created');
    assert.equal(creates(), 1);
    await workbench().openViewContainer('Managed Agents');
    assert.match(await workbench().treeRow('3 requests · for'), /requests\.jsonl/);
    // The row and the status bar tell of it; a toast would stand in the way.
    assert.deepEqual(await workbench().notifications(), []);
  });

  it('tells that the same content was sent before, and does nothing when the user turns back', async () => {
    const before = creates();
    await create('requests.jsonl');
    await workbench().sheetSays('requests.jsonl', 'Create Another Batch of 3 Requests');
    await workbench().sheetSays('requests.jsonl', /already sent as msgbatch_/);
    await workbench().screenshot('submit-again');
    await workbench().closeSheet('requests.jsonl');
    assert.equal(creates(), before);
  });

  it('does not send a file with errors, counts them and shows them', async () => {
    const before = creates();
    await create('broken.jsonl');
    const text = await workbench().sheetText('broken.jsonl', 'No batch can be created: fix 1 error first.');
    assert.match(text, /json-syntax: 1/);
    assert.doesNotMatch(text, /Create Batch of/);
    await workbench().screenshot('submit-problems');
    await workbench().sheetButton('broken.jsonl', 'Check Report', '.tab.active[aria-label*="Check of broken.jsonl"]');
    assert.equal(creates(), before);
  });

  it('lets the user send what only our own rules find wrong', async () => {
    await create('lax.jsonl');
    await workbench().sheetSays('lax.jsonl', /The service may refuse the batch, or let that request fail/);
    await workbench().screenshot('submit-anyway');
    await workbench().createFromSheet('lax.jsonl', 'Create Batch of 2 Requests Anyway');
    await createdBatch(workbench(), 'lax.jsonl', { requests: 2 });
  });

  it('sends what stands in the editor, and says so', async () => {
    await workbench().openFile('edited.jsonl');
    await workbench().goTo(1);
    await workbench().command('editor.action.deleteLines');
    await workbench().runCommand('Managed Agents: Create Batch...', workbench().sheetTab('edited.jsonl'));
    await workbench().sheetSays('edited.jsonl', /as it stands in the editor, unsaved changes included/);
    await workbench().createFromSheet('edited.jsonl', 'Create Batch of 2 Requests');
    await createdBatch(workbench(), 'edited.jsonl', { requests: 2 });
    assert.equal(workbench().fileText('edited.jsonl'), three);
  });

  it('makes ids for bare lines, and says so', async () => {
    await create('bare.jsonl');
    await workbench().sheetSays('bare.jsonl', /2 lines have no custom_id/);
    await workbench().createFromSheet('bare.jsonl');
    await createdBatch(workbench(), 'bare.jsonl', { requests: 2 });
  });

  it('is in the menu of the explorer and of the tab, and on the lens', async () => {
    const sheet = workbench().sheetTab('explorer.jsonl');
    await workbench().openFile('explorer.jsonl');
    await workbench().codeLens('Create Batch', sheet);
    await workbench().closeSheet('explorer.jsonl');
    await workbench().menuOf(workbench().page.locator(tabOf('explorer.jsonl')), ['Managed Agents', 'Create Batch'], sheet);
    await workbench().closeSheet('explorer.jsonl');
    await workbench().command('workbench.files.action.focusFilesExplorer');
    await workbench().treeMenu('explorer.jsonl', ['Managed Agents', 'Create Batch'], sheet);
    await workbench().closeSheet('explorer.jsonl');
    const entries = await workbench().entriesOf(workbench().row('explorer.jsonl'), 'Managed Agents');
    assert.ok(entries.includes('Split Request File...') && entries.includes('Plan Retry'), entries.join());
  });

  it('has of a file only what fits what stands in it, whatever it is called', async () => {
    const w = workbench();
    await w.command('workbench.files.action.focusFilesExplorer');
    assert.deepEqual(await w.entriesOf(w.row('answers.jsonl'), 'Managed Agents'), ['Show Results Table']);
    await w.treeMenu('answers.jsonl', ['Managed Agents', 'Show Results Table'], '.tab.active[aria-label^="Results of answers.jsonl"]');
    await w.webview('body:has-text("Nothing is known on this machine of the batch of these results"):has([role="row"]:has-text("x1"))');
    await w.pictures('results-unknown');
    await w.command('workbench.files.action.focusFilesExplorer');
    const entries = await w.entriesOf(w.row('prose.jsonl'));
    assert.ok(entries.length > 5 && !entries.includes('Managed Agents'), entries.join());
  });

  it('says that nothing was created when the service refuses, and tries again only when asked', async () => {
    const before = creates();
    await createWith('busy.jsonl', { name: 'rateLimit', route: 'batches.create', seconds: 7 });
    const text = await workbench().notification('No batch was created from busy.jsonl');
    assert.match(text, /429/);
    assert.match(text, /7 s/);
    await workbench().screenshot('submit-refused');
    assert.equal(creates(), before + 1);
    emulator().setScenario({ faults: [] });
    await workbench().notificationButton('No batch was created from busy.jsonl', 'Try Again');
    await workbench().createFromSheet('busy.jsonl', 'Create Batch of 1 Request');
    await createdBatch(workbench(), 'busy.jsonl', { requests: 1 });
    assert.equal(creates(), before + 2);
  });

  it('goes to the line that the service refused', async () => {
    await create('streamed.jsonl');
    await workbench().createFromSheet('streamed.jsonl');
    assert.match(await workbench().notification('No batch was created from streamed.jsonl'), /about line 2/);
    await workbench().screenshot('submit-line');
    await workbench().notificationButton('No batch was created from streamed.jsonl', 'Go to Line 2');
    await workbench().cursorInLine(2);
  });

  it('finds the batch whose answer was lost, and lets the user adopt it', async () => {
    const before = creates();
    await createWith('lost.jsonl', { name: 'lostReplyAfterCommit', route: 'batches.create' });
    const text = await workbench().notification('It is not known whether a batch was created from lost.jsonl');
    assert.match(text, /lists one batch that can be it: msgbatch_/);
    await workbench().screenshot('submit-unknown');
    await workbench().notificationButton('It is not known whether', 'Adopt Batch');
    await createdBatch(workbench(), 'lost.jsonl', { requests: 2 });
    assert.equal(creates(), before + 1);
  });

  it('treats a cancel after everything was sent as unknown, and sends nothing again', async () => {
    const before = creates();
    await createWith('waiting.jsonl', { name: 'stall', route: 'batches.create' });
    await workbench().sheetSays('waiting.jsonl', 'Everything was sent to Lab. Waiting for its answer…');
    await workbench().screenshot('submit-sending');
    const unknown = 'It is not known whether a batch was created from waiting.jsonl';
    await workbench().sheetButton('waiting.jsonl', 'Cancel sending', workbench().toast(unknown));
    assert.match(await workbench().notification(unknown), /lists no batch of 1 request/);
    await workbench().notificationButton('It is not known whether', 'It Was Not Created');
    assert.match(await workbench().dialogText(), /sent only minutes ago/);
    await workbench().dialogButton('It Was Not Created');
    assert.equal(creates(), before + 1);
  });

  it('sends an untitled document as it stands', async () => {
    await workbench().newUntitled('jsonl', JSON.stringify(request('u1')));
    await workbench().runCommand('Managed Agents: Create Batch...', workbench().sheetTab('Untitled-'));
    await workbench().sheetSays('Untitled-', /Untitled-\d, as it stands in the editor/);
    await workbench().createFromSheet('Untitled-');
    await createdBatch(workbench(), 'Untitled-1', { requests: 1 });
  });

  it('sends a file that is too big for extensions to see', async () => {
    const long = 'x'.repeat(2_600);
    const text = Array.from(
      { length: 20_000 },
      (_, index) => `{"custom_id":"b${index}","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"${long}"}]}}\n`,
    );
    workbench().writeFile('big.jsonl', text.join(''));
    await workbench().openFile('big.jsonl');
    await workbench().runCommand('Managed Agents: Create Batch...', workbench().sheetTab('big.jsonl'));
    await workbench().sheetSays('big.jsonl', /5\d MB \(5\d,/);
    await workbench().createFromSheet('big.jsonl', 'Create Batch of 20,000 Requests');
    await createdBatch(workbench(), 'big.jsonl', { requests: 20_000 });
  });

  it('offers the request files of the workspace when none is open', async () => {
    await workbench().runCommand('Managed Agents: Create Batch...', listed('explorer.jsonl'));
    const offered = await workbench().quickPickTexts();
    assert.ok(offered.some(text => text.includes('explorer.jsonl')));
    assert.ok(offered.some(text => text.includes('Browse...')));
    await workbench().screenshot('submit-pick');
    await workbench().quickPick('explorer.jsonl', workbench().sheetTab('explorer.jsonl'));
    await workbench().closeSheet('explorer.jsonl');
  });

  it('lets the user say that nothing was created, also later from the palette', async () => {
    const before = creates();
    await createWith('never.jsonl', { name: 'lostReplyBeforeCommit', route: 'batches.create' });
    assert.match(
      await workbench().notification('It is not known whether a batch was created from never.jsonl'),
      /lists no batch of 4 requests/,
    );
    await workbench().screenshot('submit-unknown-none');
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Find Out What Happened', listed('never.jsonl'));
    await workbench().quickPick('never.jsonl');
    await workbench().notificationButton('It is not known whether', 'Check Again');
    await workbench().notificationButton('It is not known whether', 'It Was Not Created');
    assert.match(await workbench().dialogText(), /sent only minutes ago/);
    await workbench().dialogButton('It Was Not Created');
    assert.equal(creates(), before + 1);
  });
});
