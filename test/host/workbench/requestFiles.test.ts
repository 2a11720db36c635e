import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { picker } from '../quickInputs.mjs';
import { tabOf, useWorkbench } from './workbench';

const whole = (id: string, words = 'Hello', model = 'vendor-haiku-4-5') =>
  `{"custom_id":"${id}","params":{"model":"${model}","max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}}\n`;

const many = Array.from({ length: 25 }, (_, index) => whole(`q-${index}`, `Question ${index}`)).join('');

const asked = (text: string) => `${picker}:has-text(${JSON.stringify(text)})`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;

describe('files of requests that are made of others, in the workbench', () => {
  const workbench = useWorkbench({
    files: {
      'chats.jsonl': readFileSync('test/fixtures/foreign/chat-completions.jsonl', 'utf8'),
      'many.jsonl': many,
      'one.jsonl': whole('a') + whole('b'),
      'two.jsonl': whole('a') + whole('b', 'Other'),
      'copies.jsonl': whole('a') + whole('b') + whole('c', 'Other'),
      'notes.json': '{"notes":["one","two"]}\n',
      'asked.json': `[${whole('a')},${whole('b')}]`,
      'log.jsonl': '{"level":"info","message":"started","timestamp":1}\n',
    },
  });

  const exists = (name: string) => existsSync(path.join(workbench().folder, name));
  const linesOf = (name: string) => workbench().fileText(name).split('\n').slice(0, -1);

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

  const nothing = 'Nothing in log.jsonl can be converted';

  it('says why nothing can be converted', async () => {
    await workbench().openFile('log.jsonl');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...', workbench().toast(nothing));
    assert.match(await workbench().notification(nothing), /neither messages, nor params, nor a body/);
  });

  it('takes shown JSON unasked only when requests are in it', async () => {
    await workbench().openFile('asked.json');
    await workbench().runCommand(
      'Managed Agents: Convert to Batch Requests...',
      workbench().toast('Wrote 2 requests to asked.requests.jsonl'),
    );
    await workbench().tidy();
    await workbench().openFile('notes.json');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...', listed('log.jsonl'));
    await workbench().quickPick('log.jsonl', workbench().toast(nothing));
  });

  it('splits by number of requests, and asks before it replaces parts', async () => {
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

  it('merges files in the order they are chosen, with ids that differ', async () => {
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

  it('takes a sample, and shuffles', async () => {
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

  it('finds duplicates, and writes a file without the later copies', async () => {
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
});
