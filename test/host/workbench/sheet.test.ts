import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const key = 'key-of-the-tests';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (id: string, change: object = {}) => ({ custom_id: id, params: { ...params, ...change } });

const guide = [
  'You answer customers of a shop for garden tools. Be short and friendly, and never promise what the shop cannot keep.',
  ...Array.from(
    { length: 60 },
    (_, index) =>
      `Rule ${index + 1}: when a customer asks about case ${index + 1}, look it up in chapter ${index + 3} and quote its first sentence.`,
  ),
].join('\n');
const asked = ['My spade broke after two weeks.', 'Where is my order?', 'Can I change the address?', 'The hose leaks at the tap.'];
/** What a team would send on an ordinary day. */
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

describe('the sheet before sending', function () {
  this.timeout(60_000);
  let emulator: Emulator;
  let w: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ key, scenario: { batchDuration: 600_000 } });
    w = await Workbench.start({
      files: {
        'estimate.jsonl': lines(request('a'), request('b')),
        'edited.jsonl': lines(request('a'), request('b'), request('c')),
        'outside.jsonl': lines(request('o')),
        'twice.jsonl': lines(request('t')),
        'closed.jsonl': lines(request('x'), request('y')),
        'switched.jsonl': lines(request('s')),
        'pressed.jsonl': lines(request('p')),
        'foreign.jsonl': lines({ custom_id: 'f', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages: [] } }),
        'all.json': JSON.stringify({ requests: [request('j1'), request('j2')] }),
        'secret.jsonl': lines(request('k', { system: `Use the key sk-${'live0123456789abcdef'.repeat(2)} for the shop.` })),
        'reloaded.jsonl': lines(request('r')),
        'support-tickets.jsonl': tickets,
      },
      settings: {
        'workbench.colorTheme': 'Default Dark Modern',
        'managedAgents.connections': { Lab: { baseUrl: emulator.url }, Other: { baseUrl: emulator.url }, Third: { baseUrl: emulator.url } },
        'managedAgents.connection': '',
        'managedAgents.estimate.prices': {
          'vendor-sonnet-5': { input: 1.5, output: 7.5, cacheRead: 0.15, cacheWrite: 1.9 },
          'vendor-haiku-4-5': { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.6 },
        },
        'files.autoSave': 'off',
      },
    });
  });

  tidyUp(() => ({ workbench: w, emulator }));

  const creates = () => emulator.requests.filter(({ method }) => method === 'POST').length;
  const create = async (file: string) => {
    await w.openFile(file);
    await w.runCommand('Managed Agents: Create Batch...');
    return await w.sheet(file);
  };
  const says = async (file: string, words: string | RegExp) => {
    await (await w.sheet(file)).getByText(words).first().waitFor();
  };
  /** Copies of editors that stand ready to be sent. */
  const prepared = () => {
    const folder = path.join(w.globalStorage, 'submissions');
    const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return found
      .filter(entry => entry.isDirectory() && !existsSync(path.join(folder, entry.name, 'submission.json')))
      .map(({ name }) => name);
  };

  it('estimates without a connection, sends nothing from there, and leads on to where it can be sent', async () => {
    await w.openFile('estimate.jsonl');
    await w.runCommand('Managed Agents: Estimate Tokens and Cost...');
    await w.waitFor('.tab.active[aria-label^="Estimate - estimate.jsonl"]');
    await says('estimate.jsonl', 'None is chosen.');
    await says('estimate.jsonl', /^0 to 128$/);
    assert.doesNotMatch(await w.sheetText('estimate.jsonl'), /Create Batch of/);
    await w.screenshot('sheet-estimate');
    await w.sheetButton('estimate.jsonl', 'Create Batch...');
    await w.quickPick('Use One of Your Connections...');
    await w.quickPick('Lab');
    await w.inputBox(key);
    await says('estimate.jsonl', 'Create Batch of 2 Requests');
    await says('estimate.jsonl', `Lab, on ${new URL(emulator.url).host}`);
    assert.equal(await w.page.locator('.tab[aria-label*="estimate.jsonl"]').count(), 2);
    assert.equal(creates(), 0);
  });

  it('says at once that the text was edited, checks it again when it is saved, and sends what was checked', async () => {
    await create('edited.jsonl');
    await says('edited.jsonl', 'Create Batch of 3 Requests');
    await w.runCommand('View: Focus First Editor Group');
    await w.goTo(1);
    await w.press('Control+Shift+K');
    await says('edited.jsonl', 'The file has changes in the editor that were not checked.');
    await w.screenshot('sheet-stale');
    const frame = await w.sheet('edited.jsonl');
    assert.equal(await frame.locator('.button-primary').getAttribute('aria-disabled'), 'true');
    await w.runCommand('File: Save');
    await w.createFromSheet('edited.jsonl', 'Create Batch of 2 Requests');
    await w.notification('created: 2 requests');
  });

  it('says that the file was changed by somebody else, and checks it again when asked', async () => {
    const before = creates();
    await create('outside.jsonl');
    w.writeFile('outside.jsonl', lines(request('o1'), request('o2'), request('o3'), request('o4')));
    const frame = await w.sheet('outside.jsonl');
    await frame.getByRole('button', { name: /^Create Batch of 1 Request$/ }).click({ force: true });
    await says('outside.jsonl', /The file was changed on disk|changes in the editor/);
    await w.sheetButton('outside.jsonl', 'Check Again');
    await w.createFromSheet('outside.jsonl', 'Create Batch of 4 Requests');
    await w.notification('created: 4 requests');
    assert.equal(creates(), before + 1);
  });

  it('creates one batch of a double click', async () => {
    const before = creates();
    const frame = await create('twice.jsonl');
    await frame.getByRole('button', { name: 'Create Batch of 1 Request' }).dblclick();
    await w.notification('created: 1 request.');
    await w.waitForNone('.tab[aria-label^="Create Batch - twice.jsonl"]');
    assert.equal(creates(), before + 1);
  });

  it('reveals the one sheet of a file, sends nothing on Enter, closes on Escape, and keeps no copy of the text', async () => {
    const before = creates();
    await w.openFile('closed.jsonl');
    await w.goTo(1);
    await w.press('Control+Shift+K');
    await w.runCommand('Managed Agents: Create Batch...');
    await says('closed.jsonl', 'Create Batch of 1 Request');
    assert.equal(prepared().length, 1);
    await w.openFile('closed.jsonl');
    await w.runCommand('Managed Agents: Create Batch...');
    await w.waitFor('.tab.active[aria-label^="Create Batch - closed.jsonl"]');
    assert.equal(await w.page.locator('.tab[aria-label^="Create Batch - closed.jsonl"]').count(), 1);
    await w.press('Enter');
    await w.press('Enter');
    await w.untilDone(async timeout => {
      await (await w.sheet('closed.jsonl')).locator('h1').press('Escape', { timeout });
      await w.page.locator('.tab[aria-label^="Create Batch - closed.jsonl"]').first().waitFor({ state: 'hidden', timeout });
    });
    assert.equal(creates(), before);
    assert.deepEqual(prepared(), []);
    await w.runCommand('File: Revert File');
  });

  it('asks for no key because a file is saved, and says that it would go elsewhere now', async () => {
    await create('switched.jsonl');
    await w.runCommand('Managed Agents: Switch Connection');
    await w.quickPick('Other');
    await says('switched.jsonl', 'The connection is Other now.');
    await w.runCommand('View: Focus First Editor Group');
    await w.goTo(1);
    await w.press('End');
    await w.press('Enter');
    await w.runCommand('File: Save');
    await says('switched.jsonl', /The file was changed on disk since it was checked\. The connection is Other now\./);
    assert.equal(await w.page.locator('.quick-input-widget').isVisible(), false);
    assert.doesNotMatch(await w.sheetText('switched.jsonl'), /Checking the file/);
    await w.closeSheet('switched.jsonl');
  });

  it('asks again when it is wanted again while it asks for a key, and says nothing of a batch that is created', async () => {
    await w.runCommand('Managed Agents: Switch Connection');
    await w.quickPick('Third');
    await w.openFile('pressed.jsonl');
    await w.runCommand('Managed Agents: Create Batch...');
    await w.page.locator('.quick-input-widget input[type="password"]').waitFor();
    await w.press('Escape');
    await w.runCommand('Managed Agents: Create Batch...');
    await w.inputBox(key);
    await says('pressed.jsonl', 'Create Batch of 1 Request');
    await says('pressed.jsonl', /^Third, on/);
    assert.doesNotMatch((await w.notifications()).join(), /is being created/);
    assert.equal(await w.page.locator('.tab[aria-label^="Create Batch - pressed.jsonl"]').count(), 1);
    await w.closeSheet('pressed.jsonl');
    await w.runCommand('Managed Agents: Switch Connection');
    await w.quickPick('Lab');
  });

  it('leads from a file in another form to its conversion, and lets the shown JSON document be converted', async () => {
    await create('foreign.jsonl');
    await says('foreign.jsonl', 'Another Form');
    assert.doesNotMatch(await w.sheetText('foreign.jsonl'), /Fix\.\.\.|Tokens and Cost/);
    await w.screenshot('sheet-foreign');
    await w.closeSheet('foreign.jsonl');
    await w.openFile('all.json');
    await w.runCommand('Managed Agents: Create Batch...');
    await w.quickPick('Convert all.json...');
    await w.waitFor('.tab[aria-label^="all.requests.jsonl"], .notification-toast');
    assert.match(w.fileText('all.requests.jsonl'), /"j1"[\s\S]*"j2"/);
  });

  it('opens no third column for a second sheet', async () => {
    await create('outside.jsonl');
    await w.press('Control+2');
    await create('edited.jsonl');
    assert.equal(await w.page.locator('.editor-group-container').count(), 2);
    await w.closeSheet('edited.jsonl');
    await create('outside.jsonl');
    await w.closeSheet('outside.jsonl');
  });

  it('says that another connection was chosen, and sends nothing before it was checked for that one', async () => {
    const before = creates();
    await create('switched.jsonl');
    await w.runCommand('Managed Agents: Switch Connection');
    await w.quickPick('Other');
    await says('switched.jsonl', 'The connection is Other now.');
    await w.screenshot('sheet-switched');
    await w.sheetButton('switched.jsonl', 'Check Again');
    await w.inputBox(key);
    await says('switched.jsonl', /^Other, on/);
    assert.equal(creates(), before);
    await w.createFromSheet('switched.jsonl');
    await w.notification('created: 1 request.');
  });

  it('stops the estimate of a large file, and begins it again', async () => {
    const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
    const text = Array.from({ length: 30_000 }, (_, index) => JSON.stringify(request(`b${index}`, { system: `${index} ${long}` })));
    w.writeFile('large.jsonl', `${text.join('\n')}\n`);
    await create('large.jsonl');
    await w.sheetButton('large.jsonl', 'Stop the estimate');
    await says('large.jsonl', 'The estimate was stopped.');
    await w.sheetButton('large.jsonl', 'Estimate Again');
    await says('large.jsonl', 'Estimating tokens');
    await w.closeSheet('large.jsonl');
  });

  it('shows masked secrets, leads to their place, and warns of them beside what sends', async () => {
    await create('secret.jsonl');
    await says('secret.jsonl', '1 secret is in the file.');
    const text = await w.sheetText('secret.jsonl');
    assert.match(text, /There are secrets in the file/);
    assert.doesNotMatch(text, /live0123456789abcdef/);
    await w.screenshot('sheet-secret');
    await w.sheetButton('secret.jsonl', /^Line 1, with/);
    await w.waitFor('.tab.active[data-resource-name="secret.jsonl"]');
  });

  it('shows tokens, money and shared prefixes of a realistic file, and writes a marked copy to be sent', async () => {
    await create('support-tickets.jsonl');
    await says('support-tickets.jsonl', /requests to vendor-sonnet-5 begin with the same/);
    await w.pictures('sheet-tickets');
    const frame = await w.sheet('support-tickets.jsonl');
    await frame.getByRole('button', { name: 'Insert cache_control (1 Hour) into a New File...', exact: true }).first().click();
    await w.notification(/support-tickets\.cached\.jsonl: cache_control was inserted/);
    assert.match(w.fileText('support-tickets.cached.jsonl'), /"cache_control":\{"type":"ephemeral","ttl":"1h"\}/);
    await w.notificationButton('support-tickets.cached.jsonl', 'Create Batch...');
    await says('support-tickets.cached.jsonl', 'Create Batch of 412 Requests');
  });

  it('does not come back with a reloaded window', async () => {
    await create('reloaded.jsonl');
    await w.reloadWindow();
    await w.openFile('reloaded.jsonl');
    assert.equal(await w.page.locator('.tab[aria-label^="Create Batch - "]').count(), 0);
    assert.deepEqual(prepared(), []);
  });
});
