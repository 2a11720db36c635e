import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { useWorkbench } from './workbench';

const whole = (id: string, words = 'Hello', model = 'vendor-haiku-4-5') =>
  `{"custom_id":"${id}","params":{"model":"${model}","max_tokens":64,"messages":[{"role":"user","content":"${words}"}]}}\n`;

const many = Array.from({ length: 25 }, (_, index) => whole(`q-${index}`, `Question ${index}`)).join('');

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
    settings: { 'files.autoSave': 'off' },
  });

  const exists = (name: string) => existsSync(path.join(workbench().folder, name));
  const linesOf = (name: string) => workbench().fileText(name).split('\n').slice(0, -1);

  afterEach('close everything', () => workbench().tidy());

  it('converts batch lines of another service, asking for models and max_tokens', async () => {
    await workbench().openFile('chats.jsonl');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...');
    const models = await workbench().quickPickTexts();
    assert.ok(
      models.some(text => text.includes('vendor-opus-5')),
      models.join('|'),
    );
    await workbench().screenshot('convert-model');
    await workbench().quickPick('vendor-opus-5');
    await workbench().quickPick('Keep small-4o');
    await workbench().inputBox('2048');
    await workbench().quickPick('Make them fit');
    assert.match(
      await workbench().notification('chats.requests.jsonl'),
      /Wrote 6 requests to chats\.requests\.jsonl\. 3 could not be converted and are in chats\.not-converted\.jsonl\./,
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
    await workbench().waitFor('.tab.active[data-resource-name="chats.requests.jsonl"]');
  });

  it('says why nothing can be converted', async () => {
    await workbench().openFile('log.jsonl');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...');
    assert.match(await workbench().notification('Nothing in log.jsonl can be converted'), /neither messages, nor params, nor a body/);
  });

  it('takes shown JSON unasked only when requests are in it', async () => {
    await workbench().openFile('asked.json');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...');
    await workbench().notification('Wrote 2 requests to asked.requests.jsonl');
    await workbench().tidy();
    await workbench().openFile('notes.json');
    await workbench().runCommand('Managed Agents: Convert to Batch Requests...');
    await workbench().quickPick('log.jsonl');
    await workbench().notification('Nothing in log.jsonl can be converted');
  });

  it('splits by number of requests, and asks before it replaces parts', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().runCommand('Managed Agents: Split Request File...');
    await workbench().screenshot('split-ways');
    await workbench().quickPick('By number of requests');
    await workbench().inputBox('10');
    assert.match(await workbench().notification('Split 25 requests'), /into 3 parts, from many\.part-001\.jsonl on/);
    await workbench().screenshot('split-done');
    assert.equal(['001', '002', '003'].map(part => workbench().fileText(`many.part-${part}.jsonl`)).join(''), many);
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Split Request File...');
    await workbench().quickPick('Into equal parts');
    await workbench().inputBox('2');
    assert.match(await workbench().dialogText(), /2 of the parts exist already/);
    await workbench().dialogButton('Replace');
    assert.match(await workbench().notification('into 2 parts'), /of an earlier split, there is still: 1 part/);
    assert.equal(linesOf('many.part-001.jsonl').length, 12);
  });

  it('merges files in the order they are chosen, with ids that differ', async () => {
    await workbench().runCommand('Managed Agents: Merge Request Files...');
    await workbench().quickPick('one.jsonl');
    await workbench().quickPick('two.jsonl');
    await workbench().quickPick('Merge these 2 files');
    const ways = await workbench().quickPickTexts();
    assert.equal(ways.length, 3);
    await workbench().screenshot('merge-ids');
    await workbench().quickPick('Put the file name before every id');
    await workbench().notification('Wrote 4 requests of 2 files');
    assert.deepEqual(
      linesOf('one.merged.jsonl').map(line => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['one-a', 'one-b', 'two-a', 'two-b'],
    );
  });

  it('takes a sample, and shuffles', async () => {
    await workbench().openFile('many.jsonl');
    await workbench().runCommand('Managed Agents: Sample Requests...');
    await workbench().inputBox('20 %');
    await workbench().quickPick('From all alike');
    await workbench().inputBox('seven');
    await workbench().notification('Wrote 5 of 25 requests of many.jsonl to many.sample.jsonl, chosen by seed seven.');
    const source = linesOf('many.jsonl');
    const places = linesOf('many.sample.jsonl').map(line => source.indexOf(line));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    await workbench().clearNotifications();
    await workbench().runCommand('Managed Agents: Shuffle Requests...');
    await workbench().inputBox('seven');
    await workbench().notification('in the order of seed seven');
    assert.deepEqual(linesOf('many.shuffled.jsonl').sort(), [...source].sort());
  });

  it('finds duplicates, and writes a file without the later copies', async () => {
    await workbench().openFile('copies.jsonl');
    await workbench().runCommand('Managed Agents: Find Duplicate Requests...');
    await workbench().notification('1 request of copies.jsonl has the params of an earlier one.');
    await workbench().pictures('duplicates-report');
    await workbench().notificationButton('the params of an earlier one', 'Remove Later Copies...');
    await workbench().quickPick('With the same params');
    await workbench().notification('without 1 later copy');
    assert.equal(workbench().fileText('copies.unique.jsonl'), whole('a') + whole('c', 'Other'));
    assert.equal(linesOf('copies.jsonl').length, 3);
    assert.ok(!exists('copies.unique-2.jsonl'));
  });
});
