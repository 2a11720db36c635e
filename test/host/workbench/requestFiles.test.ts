import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { picker } from '../page/quickInputs';
import { tabOf, useWorkbench } from './workbench';

const whole = (id: string, words = 'Hello', model = 'vendor-haiku-4-5') =>
  `{"custom_id":"${id}","params":{"model":"${model}","max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}}\n`;

const many = Array.from({ length: 25 }, (_, index) => whole(`q-${index}`, `Question ${index}`)).join('');

const asked = (text: string) => `${picker}:has-text(${JSON.stringify(text)})`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

const request = (id: string, text: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: text }], ...more },
  });
const unsent = [
  ...Array.from({ length: 40 }, (_, index) => request(`q${index + 1}`, `Say hello to person ${index + 1}.`)),
  request('refund-1', 'Where is my refund?', { model: 'vendor-haiku-4-5', max_tokens: undefined }),
  request('q7', 'Say it twice.', { model: 'vendor-haiku-4-5' }),
  '{"custom_id":"broken","params":{',
];
const sheetTab = '.tab.active[aria-label^="Create Batch - unsent.jsonl"]';
const panelTab = '.editor-group-container.active .tab.active:has-text("Requests of unsent.jsonl")';

describe('files of requests in the workbench @ci', () => {
  const workbench = useWorkbench({
    files: {
      'chats.jsonl': readFileSync('test/fixtures/foreign/chat-completions.jsonl', 'utf8'),
      'many.jsonl': many,
      'one.jsonl': whole('a') + whole('b'),
      'two.jsonl': whole('a') + whole('b', 'Other'),
      'copies.jsonl': whole('a') + whole('b') + whole('c', 'Other'),
      'notes.json': '{"notes":["one","two"]}\n',
      'asked.json': `[${whole('a')},${whole('b')}]`,
      'unsent.jsonl': `${unsent.join('\n')}\n`,
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
    },
  });

  const exists = (name: string) => existsSync(path.join(workbench().folder, name));
  const linesOf = (name: string) => workbench().fileText(name).split('\n').slice(0, -1);

  const counted = (frame: Frame, words: string): Locator => frame.locator('.queryCount strong').getByText(words, { exact: true });
  const button = (owner: Frame | Locator, name: string): Locator => owner.getByRole('button', { name, exact: true });

  async function shown(words: string): Promise<Frame> {
    const frame = await workbench().webview('main.panel [role="grid"]');
    await counted(frame, words).waitFor();
    await frame.locator('#row-0:not(.isComing)').waitFor();
    return frame;
  }

  async function filter(frame: Frame, query: string, words: string): Promise<void> {
    const field = frame.getByRole('combobox', { name: 'Filter requests' });
    await workbench().untilSeen(counted(frame, words), timeout => field.fill(query, { timeout }));
  }

  async function open(words: string): Promise<Frame> {
    await workbench().openFile('unsent.jsonl');
    await workbench().runCommand('Managed Agents: Show Requests as Table', panelTab);
    return await shown(words);
  }

  it('converts batch lines of another service, asking for models and max_tokens', async () => {
    await workbench().openFile('chats.jsonl');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...', listed('vendor-opus-5'));
    await workbench().screenshot('convert-model');
    await workbench().quickPick('vendor-opus-5', listed('Keep small-4o'));
    await workbench().quickPick('Keep small-4o', asked('max_tokens for the'));
    await workbench().inputBox('2048', listed('Make them fit'));
    await workbench().quickPick('Make them fit');
    await workbench().notification(
      'Wrote 6 requests to chats.requests.jsonl. 3 could not be converted and are in chats.not-converted.jsonl.',
    );
    await workbench().pictures('convert-report');
    const lines = linesOf('chats.requests.jsonl').map(line => JSON.parse(line) as { params: { model: string; max_tokens: number } });
    assert.deepEqual(
      lines.map(({ params }) => params.model),
      ['vendor-opus-5', 'small-4o', 'vendor-opus-5', 'vendor-opus-5', 'small-4o', 'vendor-opus-5'],
    );
    assert.equal(lines[3]?.params.max_tokens, 2048);
    assert.equal(linesOf('chats.not-converted.jsonl').length, 3);
    await workbench().notificationButton('chats.requests.jsonl', 'Open');
    await workbench().waitFor(tabOf('chats.requests.jsonl'));
  });

  it('shows a file that was never sent as a table, filters and sorts it, and leads from a row to its problems and its line', async () => {
    const frame = await open('43 requests');
    await workbench().pictures('request-table');
    await workbench().click(button(frame, 'With problems'), counted(frame, '4 of 43 requests'));
    await frame.locator('.extent > .mark-faulty').nth(3).waitFor();
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await workbench().click(button(frame, 'All'), counted(frame, '43 requests'));
    const byId = frame.getByRole('columnheader', { name: 'Id' });
    await workbench().click(byId.getByRole('button'), byId.and(frame.locator('[aria-sort="ascending"]')));
    await filter(frame, 'model=vendor-haiku-4-5 and text~refund', '1 of 43 requests');
    await frame.locator('#row-0').filter({ hasText: 'Where is my refund?' }).filter({ hasText: 'missing-field' }).waitFor();
    const pair = frame.getByRole('region', { name: 'Request', exact: true });
    await workbench().click(frame.locator('.extent > .mark-faulty'), pair.getByText('missing-field'));
    await workbench().pictures('request-table-pair');
    await workbench().click(button(pair, 'Go to Line 41'), '.monaco-editor .active-line-number:text-is("41")');
  });

  it('takes shown JSON unasked only when requests are in it @nightly', async () => {
    await workbench().openFile('asked.json');
    await workbench().runCommand(
      'Managed Agents: Convert to Batch Requests...',
      workbench().toast('Wrote 2 requests to asked.requests.jsonl'),
    );
    await workbench().tidy();
    await workbench().openFile('notes.json');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...', listed('log.jsonl'));
    await workbench().quickPick('log.jsonl', workbench().toast('Nothing in log.jsonl can be converted'));
  });

  it('splits by number of requests, and asks before it replaces parts @nightly', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().runCommand('Managed Agents: Split Request File...', listed('By number of requests'));
    await workbench().screenshot('split-ways');
    await workbench().quickPick('By number of requests', asked('Requests in each part'));
    await workbench().inputBox('10', workbench().toast('Split 25 requests'));
    assert.match(await workbench().notification('Split 25 requests'), /into 3 parts, from many\.part-001\.jsonl on/);
    await workbench().screenshot('split-done');
    assert.equal(['001', '002', '003'].map(part => workbench().fileText(`many.part-${part}.jsonl`)).join(''), many);
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Split Request File...', listed('Into equal parts'));
    await workbench().quickPick('Into equal parts', asked('How many parts'));
    await workbench().inputBox('2', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /2 of the parts exist already/);
    await workbench().dialogButton('Replace');
    assert.match(await workbench().notification('into 2 parts'), /of an earlier split, there is still: 1 part/);
    assert.equal(linesOf('many.part-001.jsonl').length, 12);
  });

  it('merges files in the order they are chosen, with ids that differ @nightly', async () => {
    const ways = workbench().page.locator(`${picker} .monaco-list-row`);
    await workbench().runCommand('Managed Agents: Merge Request Files...', listed('two.jsonl'));
    await workbench().quickPick('one.jsonl', `${picker} input[placeholder*="Which comes behind one.jsonl"]`);
    await workbench().quickPick('two.jsonl', listed('Merge these 2 files'));
    await workbench().quickPick('Merge these 2 files', listed('Put the file name before every id'));
    assert.equal(await ways.count(), 3);
    await workbench().screenshot('merge-ids');
    await workbench().quickPick('Put the file name before every id', workbench().toast('Wrote 4 requests of 2 files'));
    assert.deepEqual(
      linesOf('one.merged.jsonl').map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['one-a', 'one-b', 'two-a', 'two-b'],
    );
  });

  it('takes a sample, and shuffles @nightly', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().runCommand('Managed Agents: Sample Requests...', asked('How many requests, or which share of them'));
    await workbench().inputBox('20 %', listed('From all alike'));
    await workbench().quickPick('From all alike', asked('The seed: the same seed'));
    await workbench().inputBox(
      'seven',
      workbench().toast('Wrote 5 of 25 requests of many.jsonl to many.sample.jsonl, chosen by seed seven.'),
    );
    const source = linesOf('many.jsonl');
    const places = linesOf('many.sample.jsonl').map(line => source.indexOf(line));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Shuffle Requests...', asked('The seed: the same seed'));
    await workbench().inputBox('seven', workbench().toast('in the order of seed seven'));
    assert.deepEqual(linesOf('many.shuffled.jsonl').sort(), [...source].sort());
  });

  it('finds duplicates, and writes a file without the later copies @nightly', async () => {
    await workbench().openFile('copies.jsonl');
    await workbench().runCommand(
      'Managed Agents: Find Duplicate Requests...',
      workbench().toast('1 request of copies.jsonl has the params of an earlier one.'),
    );
    await workbench().pictures('duplicates-report');
    await workbench().notificationButton('the params of an earlier one', 'Remove Later Copies...');
    await workbench().quickPick('With the same params', workbench().toast('without 1 later copy'));
    assert.equal(workbench().fileText('copies.unique.jsonl'), whole('a') + whole('c', 'Other'));
    assert.equal(linesOf('copies.jsonl').length, 3);
    assert.ok(!exists('copies.unique-2.jsonl'));
  });

  it('opens from the foot of the sheet, also where nothing can be sent @nightly', async () => {
    await workbench().openFile('unsent.jsonl');
    await workbench().beginCommand(sheetTab, 'managedAgents.file.check');
    await workbench().sheetButton('unsent.jsonl', 'Show as Table', panelTab);
    await shown('43 requests');
  });

  it('writes what is selected to a new file, and shows a file anew that was written to @nightly', async () => {
    let frame = await open('43 requests');
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await workbench().untilSeen(frame.getByText('All 2 rows selected'), timeout => frame.getByRole('grid').press('Control+a', { timeout }));
    await workbench().click(
      button(frame, 'Requests to New File…'),
      '.notification-toast:has-text("Wrote 2 lines to unsent.selected.jsonl.")',
    );
    assert.equal(workbench().fileText('unsent.selected.jsonl'), `${unsent[6]}\n${unsent[41]}\n`);
    await workbench().click(button(frame, 'All'), counted(frame, '43 requests'));
    await workbench().openFile('unsent.jsonl');
    appendFileSync(path.join(workbench().folder, 'unsent.jsonl'), `${request('late', 'I came later.')}\n`);
    frame = await open('44 requests');
    await filter(frame, 'id=late', '1 of 44 requests');
  });
});
