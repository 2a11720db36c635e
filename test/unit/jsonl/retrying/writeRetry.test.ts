import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestChange } from '../../../../src/jsonl/retrying/remedyOf';
import { type RetryWriteSource, writeRetry } from '../../../../src/jsonl/retrying/writeRetry';
import { quiet, RetryFiles, succeeded } from './retryFiles';

const odd = (id: string, maxTokens: string, text = 'Übung \u2028 "x"') =>
  `{ "custom_id":"${id}","params" : {"max_tokens":${maxTokens} , "model":"m","x":1.50,"messages":[{"content":${JSON.stringify(text)}}]}}`;

describe('jsonl/retrying/writeRetry', () => {
  let files: RetryFiles;

  beforeEach(() => {
    files = new RetryFiles(mkdtempSync(path.join(tmpdir(), 'write-retry-')));
  });

  afterEach(() => rmSync(files.folder, { recursive: true, force: true }));

  const group = (numbers: readonly number[], change?: RequestChange, file = 0): RetryWriteSource['groups'][number] => ({
    change,
    places: Uint32Array.from(numbers.flatMap(number => [file, number])),
  });

  const write = (source: Omit<RetryWriteSource, 'outPath'>) => writeRetry({ ...source, outPath: files.path('out') }, quiet);

  it('writes the chosen requests unchanged, except one field on request', async () => {
    const file = files.submit('a', `\ufeff${odd('a', '5')}\r\n${odd('b', '6')}  \n\n${odd('c', '7.0')}\n${odd('d', '900')}`);
    const report = await write({ files: [file], groups: [group([1]), group([0, 3], { kind: 'raise_max_tokens', to: 512 })] });
    const expected = `${odd('a', '512')}\n${odd('b', '6')}\n${odd('d', '900')}\n`;
    assert.equal(files.read('out'), expected);
    assert.deepEqual(report, { written: 3, sha256: createHash('sha256').update(expected).digest('hex'), gone: 0, unknown: 0 });
  });

  it('raises each request to its own next value, and keeps those at the limit', async () => {
    const file = files.submit('a', `${odd('a', '64')}\n${odd('b', '1000')}\n${odd('c', '2000')}`);
    const change = { kind: 'raise_each', bounds: [['m', 1500]], least: 256, most: 1500 } as const;
    const { written } = await write({ files: [file], groups: [group([0, 1, 2], change)] });
    assert.equal(files.read('out'), `${odd('a', '256')}\n${odd('b', '1500')}\n${odd('c', '2000')}\n`);
    assert.equal(written, 3);
  });

  it('gives bare params their generated ID', async () => {
    const file = files.submit('a', '{"model":"m","max_tokens":1}\n\n\t{"model":"n","max_tokens":1}  ');
    await write({ files: [file], groups: [group([0]), group([1], { kind: 'set_model', model: 'k' })] });
    assert.equal(
      files.read('out'),
      '{"custom_id":"line-1","params":{"model":"m","max_tokens":1}}\n{"custom_id":"line-3","params":{"model":"k","max_tokens":1}}\n',
    );
  });

  it('finds requests by ID at their current line, and counts missing ones', async () => {
    const file = files.submit('a', `${odd('a', '1')}\n${odd('b', '2')}\n${odd('c', '3')}\n`);
    writeFileSync(file.path, `${odd('c', '33')}\n${odd('x', '9')}\nbroken\n${odd('a', '1')}\n`);
    const { written, gone } = await write({ files: [file], groups: [group([0, 1, 2])] });
    assert.deepEqual([written, gone, files.read('out')], [2, 1, `${odd('c', '33')}\n${odd('a', '1')}\n`]);
  });

  it("takes each file's own requests", async () => {
    const one = files.submit('a', `${odd('a', '1')}\n${odd('b', '2')}\n`);
    const two = files.submit('b', `${odd('b', '22')}\n`);
    await write({ files: [one, two], groups: [{ change: undefined, places: Uint32Array.of(0, 0, 1, 0) }] });
    assert.equal(files.read('out'), `${odd('a', '1')}\n${odd('b', '22')}\n`);
  });

  it('writes the requests of selected rows from the last sent file, and counts those in none', async () => {
    const one = files.submit('a', `${odd('a', '1')}\n${odd('b', '2')}\n${odd('c', '3')}\n`);
    const two = files.submit('b', `${odd('b', '22')}\n`);
    const { joinedPath, indexPath } = await files.plan(
      [one, two],
      ['a', 'b', 'c', 'alien'].map(id => [id, succeeded('end_turn')]),
    );
    const answered = { joinedPath, indexPath, rows: Uint32Array.of(3, 1, 0) };
    const { written, gone } = await write({ files: [one, two], groups: [], answered });
    assert.deepEqual([written, gone, files.read('out')], [2, 1, `${odd('a', '1')}\n${odd('b', '22')}\n`]);
  });

  it('writes no request that the lost list of a newer batch can have in another version', async () => {
    const one = files.submit('a', `${odd('a', '1')}\n${odd('b', '2')}\n`);
    const lost = files.submit('b', `${odd('b', '22')}\n`);
    const two = files.submit('c', `${odd('c', '3')}\n${odd('d', '4')}\n`);
    const { joinedPath, indexPath } = await files.plan(
      [one, lost, two],
      ['a', 'b', 'c', 'd'].map(id => [id, succeeded('end_turn')]),
    );
    rmSync(lost.linesPath);
    writeFileSync(two.path, `${odd('c', '3')}\n`);
    const answered = { joinedPath, indexPath, rows: Uint32Array.of(0, 1, 2, 3) };
    const report = await write({ files: [one, lost, two], groups: [], answered });
    assert.deepEqual([report.written, report.gone, report.unknown, files.read('out')], [1, 1, 2, `${odd('c', '3')}\n`]);
    rmSync(files.path('out'));
    const planned = await write({ files: [one, lost, two], groups: [group([0]), group([0, 1], undefined, 2)] });
    assert.deepEqual([planned.written, planned.gone, planned.unknown], [1, 1, 1]);
    await assert.rejects(write({ files: [one, lost], groups: [group([0])] }), { message: /^The record of the requests/ });
  });

  it('writes no empty file if all requests are missing', async () => {
    const file = files.submit('a', `${odd('a', '1')}\n`);
    writeFileSync(file.path, `${odd('x', '9')}\n`);
    await assert.rejects(write({ files: [file], groups: [group([0])] }), { name: 'NothingWrittenError' });
    assert.ok(!readdirSync(files.folder).some(name => name.startsWith('out')));
  });

  it('writes nothing when it is canceled', async () => {
    const file = files.submit('a', `${odd('a', '1')}\n`);
    const throwIfAborted = () => {
      throw new DOMException('cancelled', 'AbortError');
    };
    const source = { files: [file], groups: [group([0])], outPath: files.path('out') };
    await assert.rejects(writeRetry(source, { ...quiet, throwIfAborted }), { name: 'AbortError' });
    assert.ok(!readdirSync(files.folder).some(name => name.startsWith('out')));
  });
});
