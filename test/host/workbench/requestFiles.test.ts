import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { picker } from '../page/quickInputs';
import { asks, Questions } from './questions';
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

describe('request files in VS Code @ci', () => {
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

  const questions = new Questions(workbench);
  const exists = (name: string) => existsSync(path.join(workbench().folder, name));
  const linesOf = (name: string) => workbench().fileText(name).split('\n').slice(0, -1);

  const counted = (frame: Frame, words: string): Locator => frame.locator('.count').getByText(words, { exact: true });
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
    await workbench().runCommand('Managed Agents: Convert to Request File...', listed('vendor-opus-5'));
    await workbench().screenshot('convert-model');
    await workbench().quickPick('vendor-opus-5', listed('Keep small-4o'));
    await workbench().quickPick('Keep small-4o', asked('max_tokens for items'));
    await workbench().inputBox('2048');
    await workbench().notification('Wrote 6 requests to chats.requests.jsonl. Not converted, in chats.not-converted.jsonl: 3.');
    await workbench().screenshot('convert-report');
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

  it("shows an unsent file as a table, filters and sorts it, and opens a row's problems and line", async () => {
    const frame = await open('43 requests');
    await workbench().screenshot('request-table');
    await workbench().click(button(frame, 'With problems 4'), counted(frame, '4 of 43 requests'));
    await frame.locator('.extent > .mark-faulty').nth(3).waitFor();
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await workbench().click(button(frame, 'All 43'), counted(frame, '43 requests'));
    const byId = frame.getByRole('columnheader', { name: 'ID' });
    await workbench().click(byId.getByRole('button'), byId.and(frame.locator('[aria-sort="ascending"]')));
    await filter(frame, 'model=vendor-haiku-4-5 and text~refund', '1 of 43 requests');
    await frame.locator('#row-0').filter({ hasText: 'Where is my refund?' }).filter({ hasText: 'missing-field' }).waitFor();
    const pair = frame.getByRole('region', { name: 'Request', exact: true });
    await workbench().click(frame.locator('.extent > .mark-faulty'), pair.getByText('missing-field'));
    await workbench().screenshot('request-table-pair');
    await workbench().click(button(pair, 'Go to Line 41'), '.monaco-editor .active-line-number:text-is("41")');
  });

  it('accepts visible JSON without asking only if it contains requests @nightly', async () => {
    await workbench().openFile('asked.json');
    await workbench().runCommand(
      'Managed Agents: Convert to Request File...',
      workbench().toast('Wrote 2 requests to asked.requests.jsonl'),
    );
    await workbench().tidy();
    await workbench().openFile('notes.json');
    await workbench().runCommand('Managed Agents: Convert to Request File...', listed('log.jsonl'));
    await workbench().quickPick('log.jsonl', workbench().toast("Can't convert log.jsonl"));
  });

  /** Opens a file and selects an arrangement until `effect` is visible. */
  async function arrange(file: string, arrangement: string, effect: string | Locator): Promise<void> {
    await workbench().openFile(file);
    await workbench().runCommand('Managed Agents: Arrange Requests...', listed(arrangement));
    await workbench().quickPick(arrangement, effect);
  }

  it('splits by number of requests, and asks before it replaces parts @nightly', async () => {
    await arrange('many.jsonl', 'Split into Parts', asked('3 parts'));
    await workbench().inputBox('10 requests', workbench().toast('Split 25 requests'));
    assert.match(await workbench().notification('Split 25 requests'), /into 3 parts, starting with many\.part-001\.jsonl/);
    await workbench().screenshot('split-done');
    assert.equal(['001', '002', '003'].map(part => workbench().fileText(`many.part-${part}.jsonl`)).join(''), many);
    await workbench().clearNotifications();
    await arrange('many.jsonl', 'Split into Parts', asked('3 parts'));
    await workbench().inputBox('2 parts', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /Existing parts: 2\. Replace them\?/);
    await workbench().dialogButton('Replace');
    assert.match(await workbench().notification('into 2 parts'), /Parts left from an earlier split: 1/);
    assert.equal(linesOf('many.part-001.jsonl').length, 12);
  });

  it('merges files sorted by name, with different IDs @nightly', async () => {
    await arrange('one.jsonl', 'Merge with Other Files', asks('Select files to append to one.jsonl'));
    await questions.tick('two.jsonl');
    await questions.accept('Select files to append to one.jsonl', listed('Prefix Every ID with the File Name'));
    await workbench().quickPick('Prefix Every ID with the File Name', workbench().toast('Wrote 4 requests of 2 files'));
    assert.deepEqual(
      linesOf('one.merged.jsonl').map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['one-a', 'one-b', 'two-a', 'two-b'],
    );
  });

  it('takes a sample, and shuffles @nightly', async () => {
    await arrange('many.jsonl', 'Sample...', asked('Number or share'));
    await workbench().inputBox('20 %', asked('Random seed'));
    await workbench().inputBox('seven', workbench().toast('Wrote 5 requests to many.sample.jsonl with seed seven.'));
    const source = linesOf('many.jsonl');
    const places = linesOf('many.sample.jsonl').map(line => source.indexOf(line));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    await workbench().clearNotifications();
    await arrange('many.jsonl', 'Shuffle...', asked('Random seed'));
    await workbench().inputBox('seven', workbench().toast('with seed seven'));
    assert.deepEqual(linesOf('many.shuffled.jsonl').sort(), [...source].sort());
  });

  it('previews each arrangement of a file, and writes one without duplicates', async () => {
    await workbench().openFile('copies.jsonl');
    await workbench().runCommand('Managed Agents: Arrange Requests...', listed('Writes 2 of 3 requests to copies.unique.jsonl'));
    await workbench().screenshot('arrange');
    await workbench().quickPick('Remove Duplicates by Params', workbench().toast('Duplicates left out: 1'));
    assert.equal(workbench().fileText('copies.unique.jsonl'), whole('a') + whole('c', 'Other'));
    assert.equal(linesOf('copies.jsonl').length, 3);
    assert.ok(!exists('copies.unique-2.jsonl'));
  });

  it("opens from the sheet's foot, even if nothing can be sent @nightly", async () => {
    await workbench().openFile('unsent.jsonl');
    await workbench().beginCommand(sheetTab, 'managedAgents.file.check');
    await workbench().sheetButton('unsent.jsonl', 'Show as Table', panelTab);
    await shown('43 requests');
  });

  it('writes selected requests to a new file, and refreshes a changed file @nightly', async () => {
    let frame = await open('43 requests');
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await workbench().untilSeen(frame.getByText('All 2 selected'), timeout => frame.getByRole('grid').press('Control+a', { timeout }));
    await workbench().click(
      button(frame, 'Save Requests to New File...'),
      '.notification-toast:has-text("Lines written to unsent.selected.jsonl: 2.")',
    );
    assert.equal(workbench().fileText('unsent.selected.jsonl'), `${unsent[6]}\n${unsent[41]}\n`);
    await workbench().click(button(frame, 'All 43'), counted(frame, '43 requests'));
    await workbench().openFile('unsent.jsonl');
    appendFileSync(path.join(workbench().folder, 'unsent.jsonl'), `${request('late', 'I came later.')}\n`);
    frame = await open('44 requests');
    await filter(frame, 'id=late', '1 of 44 requests');
  });
});
