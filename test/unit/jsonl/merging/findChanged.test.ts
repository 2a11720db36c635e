import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PassContext } from '../../../../src/jsonl/files/lineFile';
import { changeReasons } from '../../../../src/jsonl/merging/changeReasons';
import { findChanged } from '../../../../src/jsonl/merging/findChanged';
import { hashRequests } from '../../../../src/jsonl/merging/hashRequests';
import { RequestHashes } from '../../../../src/jsonl/merging/requestHashes';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';

const quiet: PassContext = { throwIfAborted: () => {}, progress: () => {} };
const request = (id: string, text: string) => `{"custom_id":${JSON.stringify(id)},"params":{"model":"m","text":${JSON.stringify(text)}}}`;

describe('jsonl/merging/findChanged', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'find-changed-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const file = (name: string) => path.join(folder, name);

  /** Sends lines. The state of a line is `undefined` if the line isn't sent, and `missing` if it has no answer. */
  async function send(name: string, lines: readonly (readonly [text: string, id: string, state: string | undefined])[]) {
    const source = file(`${name}.jsonl`);
    const text = `${lines.map(([line]) => line).join('\n')}\n`;
    await writeFile(source, text);
    const linesPath = file(`${name}.lines`);
    await writeFile(linesPath, lines.flatMap(([, id, state], line) => (state === undefined ? [] : [`${line}\t${id}\n`])).join(''));
    const hashesPath = file(`${name}.hash`);
    await hashRequests({ path: source, linesPath, sha256: createHash('sha256').update(text).digest('hex'), hashesPath }, quiet);
    const results = { joinedPath: file(`${name}.joined`), indexPath: file(`${name}.index`) };
    await writeFile(
      file('raw'),
      lines
        .flatMap(([, id, type = 'missing']) => (type === 'missing' ? [] : [`${JSON.stringify({ custom_id: id, result: { type } })}\n`]))
        .join(''),
    );
    await joinResults({ rawPath: file('raw'), linesPath, ...results }, quiet);
    return { linesPath, hashesPath, results };
  }

  async function find(
    lines: readonly string[],
    ...before: readonly (Partial<Awaited<ReturnType<typeof send>>> & { linesPath: string; isRetry?: boolean })[]
  ) {
    await writeFile(file('now.jsonl'), lines.join('\n'));
    const found = await findChanged({ path: file('now.jsonl'), before }, quiet);
    return { ...found, list: [...found.lines].map((line, at) => [line, changeReasons[found.why[at] ?? -1]]) };
  }

  it('finds new, changed and failed requests', async () => {
    const run = await send('one', [
      [request('kept', 'a'), 'kept', 'succeeded'],
      [request('edited', 'a'), 'edited', 'succeeded'],
      [request('failed', 'a'), 'failed', 'errored'],
      [request('silent', 'a'), 'silent', 'missing'],
      [request('left', 'a'), 'left', undefined],
    ]);
    const now = [
      '',
      request('new', 'a'),
      request('left', 'a'),
      '{ "params": {"text":"\\u0061", "model":"m"}, "custom_id": "kept" }',
      request('failed', 'a'),
      request('edited', 'b'),
      '{"broken',
      request('silent', 'a'),
    ];
    const found = await find(now, run);
    assert.deepEqual(found.list, [
      [1, 'new'],
      [2, 'new'],
      [4, 'failed'],
      [5, 'changed'],
      [7, 'failed'],
    ]);
    assert.deepEqual(found.counts, { new: 2, changed: 1, failed: 2, unknown: 0, kept: 1 });
    assert.equal(found.sha256, createHash('sha256').update(now.join('\n')).digest('hex'));
    assert.ok(found.lines.buffer instanceof SharedArrayBuffer);
  });

  it('accepts a success of any run for the same text, and none for another text', async () => {
    const one = await send('one', [
      [request('a', '1'), 'a', 'errored'],
      [request('b', '1'), 'b', 'succeeded'],
      [request('c', '1'), 'c', 'errored'],
    ]);
    const two = await send('two', [
      [request('a', '1'), 'a', 'succeeded'],
      [request('b', '2'), 'b', 'errored'],
      [request('c', '2'), 'c', 'succeeded'],
    ]);
    const found = await find([request('a', '1'), request('b', '1'), request('c', '1')], one, two);
    assert.deepEqual(found.list, [[2, 'failed']]);
  });

  it('accepts the success of an unchanged retry for its original request', async () => {
    const before = await send('one', [[request('x', 'a'), 'x', 'errored']]);
    const edited = await send('two', [[request('x', 'b'), 'x', 'errored']]);
    const raised = { ...(await send('three', [[request('x', 'raised'), 'x', 'succeeded']])), isRetry: true };
    const unknown = { linesPath: raised.linesPath, results: raised.results, isRetry: true };
    const now = [request('x', 'a')];
    assert.deepEqual((await find(now, before, raised)).list, []);
    assert.deepEqual((await find(now, before, unknown)).list, []);
    assert.deepEqual((await find(now, before, edited, raised)).list, [[0, 'failed']], 'it is a retry of other words');
    assert.deepEqual((await find(now, before, { ...raised, isRetry: false })).list, [[0, 'failed']]);
  });

  it("reports what it can't compare as unknown", async () => {
    const { hashesPath: _, ...run } = await send('one', [[request('a', '1'), 'a', 'succeeded']]);
    assert.deepEqual((await find([request('a', '1'), request('b', '1')], run)).list, [
      [0, 'unknown'],
      [1, 'new'],
    ]);
  });

  it('counts a sent request without results as failed, bare params by their generated ID', async () => {
    const bare = '{"model":"m","max_tokens":1,"messages":[]}';
    const { results: _, ...run } = await send('one', [[bare, 'line-1', 'missing']]);
    assert.deepEqual((await find([bare, bare], run)).list, [
      [0, 'failed'],
      [1, 'new'],
    ]);
  });

  it('is right for any number of lines', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => request(`r${n}`, 'x'));
    const found = await find(lines);
    assert.equal(found.lines.length, 3000);
    assert.equal(found.lines[2999], 2999);
  });

  it('hashes nothing of a file that has changed since it was sent', async () => {
    await writeFile(file('a'), `${request('a', '1')}\n`);
    await writeFile(file('lines'), '0\ta\n');
    const source = { path: file('a'), linesPath: file('lines'), sha256: '0'.repeat(64), hashesPath: file('hash') };
    await assert.rejects(hashRequests(source, quiet), { name: 'SourceChangedError' });
    assert.deepEqual((await readdir(folder)).sort(), ['a', 'lines']);
  });

  it('recognizes an equal request in any notation', async () => {
    const { hashesPath, linesPath } = await send('one', [[request('__proto__', 'é'), '__proto__', 'missing']]);
    const hashes = await RequestHashes.open(hashesPath, linesPath);
    assert.equal(hashes.isSame('__proto__', ' {"text" : "\\u00e9","model":"m"} '), true);
    assert.equal(hashes.isSame('__proto__', '{"text":"e","model":"m"}'), false);
    assert.equal(hashes.isSame('__proto__', '{"text"'), false);
    assert.equal(hashes.isSame('other', '{}'), undefined);
    await writeFile(hashesPath, 'short');
    await assert.rejects(RequestHashes.open(hashesPath, linesPath), { name: 'LineMapError' });
  });
});
