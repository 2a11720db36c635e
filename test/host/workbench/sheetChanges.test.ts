import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { eventuallyHolds } from '../eventually';
import { picker } from '../quickInputs.mjs';
import { createdBatch } from './batchSteps';
import { useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const keyBox = `${picker} input[type="password"]`;
const lines = (...ids: readonly string[]) =>
  ids.map(custom_id => `${JSON.stringify({ custom_id, params: { model: 'vendor-sonnet-5', max_tokens: 64, messages } })}\n`).join('');
const messages = [{ role: 'user', content: 'Say hello.' }];

describe('what changes under the sheet before sending', () => {
  const emulator = useEmulator({ key, scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: {
      'edited.jsonl': lines('a', 'b', 'c'),
      'outside.jsonl': lines('o'),
      'twice.jsonl': lines('t'),
      'closed.jsonl': lines('x', 'y'),
      'saved.jsonl': lines('s'),
      'pressed.jsonl': lines('p'),
      'switched.jsonl': lines('w'),
      'reloaded.jsonl': lines('r'),
      'chosen.jsonl': lines('c1', 'c2', 'c3', 'c4', 'c5', 'c6'),
    },
    settings: {
      'managedAgents.connections': Object.fromEntries(['Lab', 'Other', 'Third', 'Fourth'].map(name => [name, { baseUrl: emulator().url }])),
      'managedAgents.connection': 'Lab',
      'files.autoSave': 'off',
    },
  }));
  before('give the key', () => workbench().setKey(key));

  const creates = () => emulator().requests.filter(({ method }) => method === 'POST').length;
  const frontSheet = (file: string) => workbench().sheetTab(file).replace('.tab', '.tab.active');
  /** The sheet of a file that is opened for it. */
  const create = async (file: string): Promise<Frame> => {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Create Batch...', frontSheet(file));
    return await workbench().sheet(file);
  };
  /** Goes back from the sheet to the text beside it. */
  const goToText = async (file: string): Promise<void> => {
    const w = workbench();
    await w.untilThere(tabOf(file), () => w.command('workbench.action.focusFirstEditorGroup'));
    await w.goTo(1);
  };
  const choose = async (connection: string): Promise<void> => {
    const row = `${picker} .monaco-list-row:has-text(${JSON.stringify(connection)})`;
    await workbench().beginCommand(row, 'managedAgents.connection.switch');
    await workbench().quickPick(connection);
    await workbench().statusBarItem(connection);
  };
  /** Copies of editors that stand ready to be sent. */
  const prepared = () => {
    const folder = path.join(workbench().globalStorage, 'submissions');
    const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return found
      .filter(entry => entry.isDirectory() && !existsSync(path.join(folder, entry.name, 'submission.json')))
      .map(({ name }) => name);
  };

  it('is said at once when the text was edited; it is checked again when it is saved, and what was checked is sent', async () => {
    const w = workbench();
    const frame = await create('edited.jsonl');
    await w.sheetSays('edited.jsonl', 'Create Batch of 3 Requests');
    await goToText('edited.jsonl');
    await w.command('editor.action.deleteLines');
    await w.sheetSays('edited.jsonl', 'The file has changes in the editor that were not checked.');
    await w.screenshot('sheet-stale');
    await eventuallyHolds(async () => assert.equal(await frame.locator('.button-primary').getAttribute('aria-disabled'), 'true'));
    await w.save();
    await w.createFromSheet('edited.jsonl', 'Create Batch of 2 Requests');
    await createdBatch(w, 'edited.jsonl', { requests: 2 });
  });

  it('is said when somebody else changed the file, and checked again when asked', async () => {
    const w = workbench();
    const before = creates();
    const frame = await create('outside.jsonl');
    const button = frame.getByRole('button', { name: /^Create Batch of 1 Request$/ });
    await button.waitFor();
    w.writeFile('outside.jsonl', lines('o1', 'o2', 'o3', 'o4'));
    await w.untilDone(timeout => button.click({ force: true, timeout }));
    await w.sheetSays('outside.jsonl', /The file was changed on disk|changes in the editor/);
    await w.sheetButton('outside.jsonl', 'Check Again', frame.getByText('Create Batch of 4 Requests'));
    await w.createFromSheet('outside.jsonl', 'Create Batch of 4 Requests');
    await createdBatch(w, 'outside.jsonl', { requests: 4 });
    assert.equal(creates(), before + 1);
  });

  it('makes one batch of a double click', async () => {
    const w = workbench();
    const before = creates();
    const frame = await create('twice.jsonl');
    const button = frame.getByRole('button', { name: 'Create Batch of 1 Request' });
    await w.untilGone(w.sheetTab('twice.jsonl'), timeout => button.dblclick({ timeout }));
    await createdBatch(w, 'twice.jsonl', { requests: 1 });
    assert.equal(creates(), before + 1);
  });

  it('reveals the one sheet of a file, sends nothing on Enter, closes on Escape, and keeps no copy of the text', async () => {
    const w = workbench();
    const before = creates();
    await w.openFile('closed.jsonl');
    await w.goTo(1);
    await w.command('editor.action.deleteLines');
    await w.runCommand('Managed Agents: Create Batch...', frontSheet('closed.jsonl'));
    await w.sheetSays('closed.jsonl', 'Create Batch of 1 Request');
    assert.equal(prepared().length, 1);
    const frame = await create('closed.jsonl');
    assert.equal(await w.count(w.sheetTab('closed.jsonl')), 1);
    await w.untilThere(frame.locator('h1:focus'), () => w.command('workbench.action.focusActiveEditorGroup'));
    await w.untilDone(() => w.page.keyboard.press('Enter'));
    await w.untilDone(() => w.page.keyboard.press('Enter'));
    await w.untilGone(w.sheetTab('closed.jsonl'), () => w.page.keyboard.press('Escape'));
    assert.equal(creates(), before);
    await w.untilSo(() => prepared().length === 0);
  });

  it('asks for no key because a file is saved, and says that it would go elsewhere now', async () => {
    const w = workbench();
    await create('saved.jsonl');
    await w.sheetSays('saved.jsonl', 'Create Batch of 1 Request');
    await choose('Other');
    await w.sheetSays('saved.jsonl', 'The connection is Other now.');
    await goToText('saved.jsonl');
    await w.type('\n');
    await w.save();
    await w.sheetSays('saved.jsonl', /The file was changed on disk since it was checked\. The connection is Other now\./);
    assert.equal(await w.count(picker), 0);
    assert.doesNotMatch(await w.sheetText('saved.jsonl'), /Checking the file/);
    await choose('Lab');
  });

  it('asks again when it is wanted again while it asks for a key, and says nothing of a batch that is created', async () => {
    const w = workbench();
    await choose('Third');
    await w.openFile('pressed.jsonl');
    await w.runCommand('Managed Agents: Create Batch...', keyBox);
    await w.untilGone(keyBox, () => w.page.keyboard.press('Escape'));
    await w.runCommand('Managed Agents: Create Batch...', keyBox);
    await w.inputBox(key);
    await w.sheetSays('pressed.jsonl', 'Create Batch of 1 Request');
    await w.sheetSays('pressed.jsonl', /^Third, on/);
    assert.doesNotMatch((await w.notifications()).join(), /is being created/);
    assert.equal(await w.count(w.sheetTab('pressed.jsonl')), 1);
    await choose('Lab');
  });

  it('is said when another connection was chosen, and nothing is sent before it was checked for that one', async () => {
    const w = workbench();
    const before = creates();
    await create('switched.jsonl');
    await w.sheetSays('switched.jsonl', 'Create Batch of 1 Request');
    await choose('Fourth');
    await w.sheetSays('switched.jsonl', 'The connection is Fourth now.');
    await w.screenshot('sheet-switched');
    await w.sheetButton('switched.jsonl', 'Check Again', keyBox);
    await w.inputBox(key);
    await w.sheetSays('switched.jsonl', /^Fourth, on/);
    assert.equal(creates(), before);
    await w.createFromSheet('switched.jsonl');
    await createdBatch(w, 'switched.jsonl', { requests: 1 });
    await choose('Lab');
  });

  it('brings the sheet back with a reloaded window, checked anew, and asks nothing', async () => {
    const w = workbench();
    await create('reloaded.jsonl');
    await w.panelWrittenDown('Create Batch - reloaded.jsonl');
    await w.reloadWindow();
    const sheet = await w.sheet('reloaded.jsonl');
    await sheet.locator('.foot button:has-text("Create Batch of 1 Request")').waitFor();
    assert.equal(await w.count('.monaco-dialog-box'), 0);
    await w.screenshot('sheet-reloaded');
    await w.closeSheet('reloaded.jsonl');
    await w.untilSo(() => prepared().length === 0);
  });

  it('brings back which requests were chosen, and sends nothing', async () => {
    const w = workbench();
    const before = creates();
    await w.openFile('chosen.jsonl');
    await w.runCommand('Managed Agents: Create Canary Batch', `${picker}:has-text("How many of the 6 requests")`);
    await w.inputBox('2', w.sheetTab('chosen.jsonl'));
    const chosen = /2 of 6: a sample across lengths and models/;
    await w.sheetSays('chosen.jsonl', chosen);
    await w.panelWrittenDown('Create Batch - chosen.jsonl');
    await w.reloadWindow();
    await w.sheetSays('chosen.jsonl', chosen);
    await w.sheetSays('chosen.jsonl', 'Create Batch of 2 Requests');
    assert.equal(creates(), before);
    await w.closeSheet('chosen.jsonl');
  });
});
