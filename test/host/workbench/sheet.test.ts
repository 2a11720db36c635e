import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import { createdBatch } from './batchSteps';
import { useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (custom_id: string) => ({ custom_id, params });
const linesOf = (...ids: readonly string[]) => lines(...ids.map(request));
const keyBox = `${picker} input[type="password"]`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

const guide = [
  'You answer customers of a shop for garden tools. Be short and friendly, and never promise what the shop cannot keep.',
  ...Array.from(
    { length: 60 },
    (_, index) =>
      `Rule ${index + 1}: when a customer asks about case ${index + 1}, look it up in chapter ${index + 3} and quote its first sentence.`,
  ),
].join('\n');
const asked = ['My spade broke after two weeks.', 'Where is my order?', 'Can I change the address?', 'The hose leaks at the tap.'];
/** A typical file of requests. */
const tickets = lines(
  ...Array.from({ length: 412 }, (_, index) => ({
    custom_id: `ticket-${1000 + index}`,
    params: {
      model: index % 20 === 19 ? 'vendor-haiku-4-5' : 'vendor-sonnet-5',
      max_tokens: 1024,
      system: guide,
      messages: [
        {
          role: 'user',
          content: `${asked[index % asked.length]} Order ${50_000 + index * 7}.${index % 50 === 3 ? ` Write to jane.doe${index}@example.com.` : ''}`,
        },
      ],
    },
  })),
);

describe('the sheet before sending @ci', () => {
  const emulator = useEmulator({ key, scenario: { batchDuration: 600_000 } });
  const connections = ['Lab', 'Other', 'Third', 'Fourth', 'Fifth', 'Sixth'];
  const workbench = useWorkbench(() => ({
    files: {
      'closed.jsonl': linesOf('x', 'y'),
      'support-tickets.jsonl': tickets,
      'chosen.jsonl': linesOf('c1', 'c2', 'c3', 'c4', 'c5', 'c6'),
      'outside.jsonl': linesOf('o'),
      'twice.jsonl': linesOf('t'),
      'saved.jsonl': linesOf('s'),
      'pressed.jsonl': linesOf('p'),
      'switched.jsonl': linesOf('w'),
      'asked.jsonl': linesOf('asked'),
      'estimate.jsonl': linesOf('a', 'b'),
      'secret.jsonl': lines(request('n'), {
        custom_id: 'k',
        params: { ...params, system: `Use the key sk-${'live0123456789abcdef'.repeat(2)} for the shop.` },
      }),
      'foreign.jsonl': lines({ custom_id: 'f', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages: [] } }),
      'all.json': JSON.stringify({ requests: [request('j1'), request('j2')] }),
    },
    settings: {
      'managedAgents.connections': Object.fromEntries(connections.map(name => [name, { baseUrl: emulator().url }])),
      'managedAgents.connection': 'Lab',
      'files.autoSave': 'off',
      'workbench.colorTheme': 'Default Dark Modern',
      'managedAgents.estimate.prices': {
        'vendor-sonnet-5': { input: 1.5, output: 7.5, cacheRead: 0.15, cacheWrite: 1.9 },
        'vendor-haiku-4-5': { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.6 },
      },
    },
  }));
  before('give the key', () => workbench().setKey(key));

  const creates = () => emulator().requests.filter(({ method }) => method === 'POST').length;
  const frontSheet = (file: string) => workbench().sheetTab(file).replace('.tab', '.tab.active');
  /** Opens a file and its sheet. Returns the sheet. */
  const create = async (file: string): Promise<Frame> => {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Create and Send Batch...', frontSheet(file));
    return await workbench().sheet(file);
  };
  /** Returns the whole text of a sheet, once it contains `words`. */
  const sheetText = async (file: string, ...words: readonly (string | RegExp)[]): Promise<string> => {
    for (const each of words) {
      await workbench().sheetSays(file, each);
    }
    return await (await workbench().sheet(file)).locator('.sheet').innerText();
  };
  /** Focuses the text editor next to the sheet. */
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
  /** Returns the prepared copies of unsaved editors. */
  const prepared = () => {
    const folder = path.join(workbench().globalStorage, 'submissions');
    const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return found
      .filter(entry => entry.isDirectory() && !existsSync(path.join(folder, entry.name, 'submission.json')))
      .map(({ name }) => name);
  };

  it("reveals a file's single sheet, sends nothing on Enter, closes on Escape, and keeps no copy of the text", async () => {
    const w = workbench();
    const before = creates();
    await w.openFile('closed.jsonl');
    await w.goTo(1);
    await w.command('editor.action.deleteLines');
    await w.runCommand('Managed Agents: Create and Send Batch...', frontSheet('closed.jsonl'));
    await w.sheetSays('closed.jsonl', 'Send 1 Request');
    assert.equal(prepared().length, 1);
    const frame = await create('closed.jsonl');
    assert.equal(await w.count(w.sheetTab('closed.jsonl')), 1);
    await w.untilThere(frame.locator('h1:focus'), () => w.command('workbench.action.focusActiveEditorGroup'));
    await w.untilDone(() => w.page.keyboard.press('Enter'));
    await w.untilDone(() => w.page.keyboard.press('Enter'));
    await w.untilGone(w.sheetTab('closed.jsonl'), () => w.page.keyboard.press('Escape'));
    assert.equal(creates(), before);
    await eventually(() => prepared().length === 0);
  });

  it('shows tokens, cost and shared prefixes of a realistic file, and writes a marked copy to send', async () => {
    const w = workbench();
    await create('support-tickets.jsonl');
    await w.sheetSays('support-tickets.jsonl', /^At most \$/);
    await w.screenshot('sheet-tickets');
    await w.sheetDetails('support-tickets.jsonl');
    await w.sheetSays('support-tickets.jsonl', /requests to vendor-sonnet-5 start with the same/);
    const written = w.toast('support-tickets.cached.jsonl');
    await w.sheetButton('support-tickets.jsonl', /^Insert cache_control \(1 Hour\) in New File\.\.\.$/, written);
    await w.notification(/support-tickets\.cached\.jsonl: requests marked for the cache/);
    assert.match(w.fileText('support-tickets.cached.jsonl'), /"cache_control":\{"type":"ephemeral","ttl":"1h"\}/);
    await w.notificationButton(/support-tickets\.cached\.jsonl: requests marked for the cache/, 'Create Batch...');
    await w.sheetSays('support-tickets.cached.jsonl', 'Send 412 Requests');
  });

  it('is restored in a reloaded window with the chosen requests, and sends nothing', async () => {
    const w = workbench();
    const before = creates();
    const frame = await create('chosen.jsonl');
    await w.untilDone(timeout => frame.getByRole('spinbutton').fill('2', { timeout }));
    await w.chooseInSheet('chosen.jsonl', /^Trial/);
    await w.sheetSays('chosen.jsonl', /^2 requests to /);
    await w.panelWrittenDown('Create Batch - chosen.jsonl');
    // VS Code has stored the panel with its first state earlier. Waits for the current state.
    await w.writtenDown('"trial');
    await w.reloadWindow();
    await w.sheetSays('chosen.jsonl', 'Send 2 Requests');
    assert.equal(await w.count('.monaco-dialog-box'), 0);
    assert.equal(creates(), before);
    await w.closeSheet('chosen.jsonl');
    await eventually(() => prepared().length === 0);
  });

  it('reports that the file changed on disk, and checks it again on request @nightly', async () => {
    const w = workbench();
    const before = creates();
    const frame = await create('outside.jsonl');
    const button = frame.getByRole('button', { name: /^Send 1 Request$/ });
    await button.waitFor();
    w.writeFile('outside.jsonl', linesOf('o1', 'o2', 'o3', 'o4'));
    await w.untilDone(timeout => button.click({ force: true, timeout }));
    await w.sheetSays('outside.jsonl', /The file has changed since it was checked/);
    await w.sheetButton('outside.jsonl', 'Check Again', frame.getByText('Send 4 Requests'));
    await w.createFromSheet('outside.jsonl', 'Send 4 Requests');
    await createdBatch(w, 'outside.jsonl', { requests: 4 });
    assert.equal(creates(), before + 1);
  });

  it('creates one batch on a double click @nightly', async () => {
    const w = workbench();
    const before = creates();
    const frame = await create('twice.jsonl');
    const button = frame.getByRole('button', { name: 'Send 1 Request' });
    await w.untilGone(w.sheetTab('twice.jsonl'), timeout => button.dblclick({ timeout }));
    await createdBatch(w, 'twice.jsonl', { requests: 1 });
    assert.equal(creates(), before + 1);
  });

  it('asks for no key because a file is saved, and says that the destination changed @nightly', async () => {
    const w = workbench();
    await create('saved.jsonl');
    await w.sheetSays('saved.jsonl', 'Send 1 Request');
    await choose('Other');
    await w.sheetSays('saved.jsonl', 'The connection Other has changed. Check again.');
    await goToText('saved.jsonl');
    await w.type('\n');
    await w.save();
    await w.sheetSays('saved.jsonl', /The file has changed since it was checked\. The connection Other has changed/);
    assert.equal(await w.count(picker), 0);
    assert.doesNotMatch(await sheetText('saved.jsonl'), /Checking…/);
    await choose('Lab');
  });

  it('asks for a key again after an interrupted question, and stays silent about a created batch @nightly', async () => {
    const w = workbench();
    await choose('Third');
    await w.openFile('pressed.jsonl');
    await w.runCommand('Managed Agents: Create and Send Batch...', keyBox);
    await w.untilGone(keyBox, () => w.page.keyboard.press('Escape'));
    await w.runCommand('Managed Agents: Create and Send Batch...', keyBox);
    await w.inputBox(key);
    await w.sheetSays('pressed.jsonl', 'Send 1 Request');
    await w.sheetSays('pressed.jsonl', 'Connection: Third');
    assert.doesNotMatch((await w.notifications()).join(), /is already being created/);
    assert.equal(await w.count(w.sheetTab('pressed.jsonl')), 1);
    await choose('Lab');
  });

  it('reports that another connection was chosen, and sends nothing before a check for it @nightly', async () => {
    const w = workbench();
    const before = creates();
    await create('switched.jsonl');
    await w.sheetSays('switched.jsonl', 'Send 1 Request');
    await choose('Fourth');
    await w.sheetSays('switched.jsonl', 'The connection Fourth has changed. Check again.');
    await w.screenshot('sheet-switched');
    await w.sheetButton('switched.jsonl', 'Check Again', keyBox);
    await w.inputBox(key);
    await w.sheetSays('switched.jsonl', 'Connection: Fourth');
    assert.equal(creates(), before);
    await w.createFromSheet('switched.jsonl');
    await createdBatch(w, 'switched.jsonl', { requests: 1 });
    await choose('Lab');
  });

  it('sends nothing that the user canceled when a missing key is entered right afterwards @nightly', async () => {
    await choose('Fifth');
    await workbench().openFile('asked.jsonl');
    await workbench().runCommand('Managed Agents: Run This Request', keyBox);
    await workbench().closePicker();
    await workbench().setKey(key);
    await workbench().runCommand('Managed Agents: Run This Request', '.tab[data-resource-name="Answer to asked.md"]');
    await workbench().waitFor('.view-line:has-text("Finished (end_turn)")');
    const sent = emulator().requests.filter(
      ({ method, path: route }) => method === 'POST' && route.startsWith('/v1/messages') && !route.includes('/batches'),
    );
    assert.equal(sent.length, 1);
    await choose('Lab');
  });

  it('shows masked secrets with their position, and a warning beside the send button @nightly', async () => {
    const w = workbench();
    await create('secret.jsonl');
    const text = await sheetText('secret.jsonl', 'This file contains secrets');
    assert.doesNotMatch(text, /live0123456789abcdef/);
    await w.screenshot('sheet-secret');
    await w.sheetDetails('secret.jsonl');
    await w.sheetButton('secret.jsonl', /^Line 2, with/, tabOf('secret.jsonl'));
    await w.cursorInLine(2);
  });

  it('checks without a connection, sends nothing from there, and leads on to sending @nightly', async () => {
    const w = workbench();
    await w.setSetting('managedAgents.connection', undefined);
    const before = creates();
    await w.openFile('estimate.jsonl');
    await w.runCommand('Managed Agents: Check Request File (Validate, Cost, Price)', frontSheet('estimate.jsonl'));
    assert.doesNotMatch(await sheetText('estimate.jsonl', /^2 requests, 1 model/, /^At most \$/), /Send 2 Requests/);
    await w.screenshot('sheet-check');
    await w.sheetButton('estimate.jsonl', 'Select Where to Send...', listed('Use Existing Connection...'));
    await w.quickPick('Use Existing Connection...', listed('Sixth'));
    await w.quickPick('Sixth', keyBox);
    await w.inputBox(key);
    await w.sheetSays('estimate.jsonl', 'Send 2 Requests');
    await w.sheetSays('estimate.jsonl', new RegExp(`^2 requests to ${new URL(emulator().url).host}, `));
    assert.equal(await w.count('.tab[aria-label*="estimate.jsonl"]'), 2);
    assert.equal(creates(), before);
    await choose('Lab');
  });

  it('offers to convert a file in another format, and the visible JSON document @nightly', async () => {
    const w = workbench();
    await create('foreign.jsonl');
    assert.doesNotMatch(await sheetText('foreign.jsonl', 'The file is in another format.', 'Convert it first.'), /Fix\.\.\.|At most/);
    await w.screenshot('sheet-foreign');
    await w.closeSheet('foreign.jsonl');
    await w.openFile('all.json');
    await w.runCommand('Managed Agents: Create and Send Batch...', listed('Convert all.json...'));
    await w.quickPick('Convert all.json...');
    await w.notification('Wrote 2 requests to all.requests.jsonl.');
    assert.match(w.fileText('all.requests.jsonl'), /"j1"[\s\S]*"j2"/);
  });
});
