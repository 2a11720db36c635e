import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { picker } from '../quickInputs.mjs';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const lines = (...requests: readonly object[]) => `${requests.map(request => JSON.stringify(request)).join('\n')}\n`;
const request = (id: string, change: object = {}) => ({ custom_id: id, params: { ...params, ...change } });
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

describe('the sheet before sending', () => {
  const emulator = useEmulator({ key, scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: {
      'estimate.jsonl': lines(request('a'), request('b')),
      'left.jsonl': lines(request('l')),
      'right.jsonl': lines(request('r')),
      'foreign.jsonl': lines({ custom_id: 'f', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages: [] } }),
      'all.json': JSON.stringify({ requests: [request('j1'), request('j2')] }),
      'secret.jsonl': lines(request('n'), request('k', { system: `Use the key sk-${'live0123456789abcdef'.repeat(2)} for the shop.` })),
      'support-tickets.jsonl': tickets,
    },
    settings: {
      ...connectedTo(emulator()),
      'managedAgents.connection': '',
      'workbench.colorTheme': 'Default Dark Modern',
      'managedAgents.estimate.prices': {
        'vendor-sonnet-5': { input: 1.5, output: 7.5, cacheRead: 0.15, cacheWrite: 1.9 },
        'vendor-haiku-4-5': { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.6 },
      },
    },
  }));

  const creates = () => emulator().requests.filter(({ method }) => method === 'POST').length;
  /** The sheet of a file that is opened for it; one that is there already comes to the front. */
  const create = async (file: string): Promise<Frame> => {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Create Batch...', workbench().sheetTab(file).replace('.tab', '.tab.active'));
    return await workbench().sheet(file);
  };

  it('estimates without a connection, sends nothing from there, and leads on to where it can be sent', async () => {
    const w = workbench();
    await w.openFile('estimate.jsonl');
    await w.runCommand('Managed Agents: Estimate Tokens and Cost...', '.tab.active[aria-label^="Estimate - estimate.jsonl"]');
    await w.sheetSays('estimate.jsonl', 'None is chosen.');
    assert.doesNotMatch(await w.sheetText('estimate.jsonl', /^0 to 128$/), /Create Batch of/);
    await w.screenshot('sheet-estimate');
    await w.sheetButton('estimate.jsonl', 'Create Batch...', listed('Use One of Your Connections...'));
    await w.quickPick('Use One of Your Connections...', listed('Lab'));
    await w.quickPick('Lab', keyBox);
    await w.inputBox(key);
    await w.sheetSays('estimate.jsonl', 'Create Batch of 2 Requests');
    await w.sheetSays('estimate.jsonl', `Lab, on ${new URL(emulator().url).host}`);
    assert.equal(await w.count('.tab[aria-label*="estimate.jsonl"]'), 2);
    assert.equal(creates(), 0);
  });

  it('leads from a file in another form to its conversion, and lets the shown JSON document be converted', async () => {
    const w = workbench();
    await create('foreign.jsonl');
    assert.doesNotMatch(await w.sheetText('foreign.jsonl', 'Another Form', 'Convert it first.'), /Fix\.\.\.|Tokens and Cost/);
    await w.screenshot('sheet-foreign');
    await w.closeSheet('foreign.jsonl');
    await w.openFile('all.json');
    await w.runCommand('Managed Agents: Create Batch...', listed('Convert all.json...'));
    await w.quickPick('Convert all.json...');
    await w.notification('Wrote 2 requests to all.requests.jsonl.');
    assert.match(w.fileText('all.requests.jsonl'), /"j1"[\s\S]*"j2"/);
  });

  it('opens no third column for a second sheet', async () => {
    const w = workbench();
    await create('left.jsonl');
    await w.command('workbench.action.focusSecondEditorGroup');
    await create('right.jsonl');
    assert.equal(await w.count('.editor-group-container'), 2);
    await w.closeSheet('right.jsonl');
    await create('left.jsonl');
    assert.equal(await w.count(w.sheetTab('left.jsonl')), 1);
    assert.equal(await w.count('.editor-group-container'), 2);
  });

  it('stops the estimate of a large file, and begins it again', async () => {
    const w = workbench();
    const long = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
    const text = Array.from({ length: 30_000 }, (_, index) => JSON.stringify(request(`b${index}`, { system: `${index} ${long}` })));
    w.writeFile('large.jsonl', `${text.join('\n')}\n`);
    const frame = await w.untilDone(async timeout => {
      // Where the estimate was faster than the hand, it is made anew.
      await w.closeSheet('large.jsonl');
      const shown = await create('large.jsonl');
      await shown.getByRole('button', { name: 'Stop the estimate' }).click({ timeout });
      await shown.getByText('The estimate was stopped.').first().waitFor({ timeout });
      return shown;
    });
    const isEstimating = frame.getByText('Estimating tokens').or(frame.getByText('Secrets and Personal Data'));
    await w.sheetButton('large.jsonl', 'Estimate Again', isEstimating);
  });

  it('shows masked secrets, leads to their place, and warns of them beside what sends', async () => {
    const w = workbench();
    await create('secret.jsonl');
    const text = await w.sheetText('secret.jsonl', '1 secret is in the file.', 'There are secrets in the file');
    assert.doesNotMatch(text, /live0123456789abcdef/);
    await w.screenshot('sheet-secret');
    await w.sheetButton('secret.jsonl', /^Line 2, with/, tabOf('secret.jsonl'));
    await w.cursorInLine(2);
  });

  it('shows tokens, money and shared prefixes of a realistic file, and writes a marked copy to be sent', async () => {
    const w = workbench();
    await create('support-tickets.jsonl');
    await w.sheetSays('support-tickets.jsonl', /requests to vendor-sonnet-5 begin with the same/);
    await w.pictures('sheet-tickets');
    const written = w.toast('support-tickets.cached.jsonl');
    await w.sheetButton('support-tickets.jsonl', /^Insert cache_control \(1 Hour\) into a New File\.\.\.$/, written);
    await w.notification(/support-tickets\.cached\.jsonl: cache_control was inserted/);
    assert.match(w.fileText('support-tickets.cached.jsonl'), /"cache_control":\{"type":"ephemeral","ttl":"1h"\}/);
    await w.notificationButton(/support-tickets\.cached\.jsonl: cache_control was inserted/, 'Create Batch...');
    await w.sheetSays('support-tickets.cached.jsonl', 'Create Batch of 412 Requests');
  });
});
