import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RetryState, SourceChangedError } from '../../../src/jsonl/jobs';
import { joinResults } from '../../../src/jsonl/resultsJoin';
import { writeRetryFile } from '../../../src/jsonl/retryFile';

const quiet = { throwIfAborted: () => {}, progress: () => {} };

const request = (id: string) => `{"custom_id":"${id}", "params": {"max_tokens":1.0,"x":"${id}"}}`;
const ids = ['ok', 'bad', 'late', 'off', 'cut', 'no', 'none', 'odd'];

describe('jsonl/retryFile', () => {
  let folder: string;
  const file = (name: string) => path.join(folder, name);

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'retry-file-'));
    const stopped = (reason: string) => ({ type: 'succeeded', message: { stop_reason: reason } });
    await join([
      ['odd', { type: 'new' }],
      ['no', stopped('refusal')],
      ['cut', stopped('max_tokens')],
      ['off', { type: 'canceled' }],
      ['late', { type: 'expired' }],
      ['bad', { type: 'errored' }],
      ['ok', stopped('end_turn')],
    ]);
    await writeFile(file('lines'), ids.map((id, index) => `${index}\t${id}\n`).join(''));
    await writeFile(file('source'), ids.map(id => `${request(id)}\n`).join(''));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function join(results: readonly (readonly [string, object])[]): Promise<void> {
    await writeFile(file('raw'), results.map(([id, result]) => `${JSON.stringify({ custom_id: id, result })}\n`).join(''));
    await joinResults({ rawPath: file('raw'), joinedPath: file('joined'), indexPath: file('index') }, quiet);
  }

  const retry = (states: readonly RetryState[], sourceSha256?: string) =>
    writeRetryFile(
      { sourcePath: file('source'), linesPath: file('lines'), indexPath: file('index'), outPath: file('out'), states, sourceSha256 },
      quiet,
    );

  const written = () => readFile(file('out'), 'utf8');

  it('writes the requests of each state, bytes unchanged and in the order of the source', async () => {
    const states: readonly (readonly [RetryState[], string[]])[] = [
      [['errored'], ['bad']],
      [
        ['expired', 'errored', 'canceled'],
        ['bad', 'late', 'off'],
      ],
      [['succeeded'], ['ok', 'cut', 'no']],
      [['cut_short'], ['cut']],
      [['refused'], ['no']],
      [['missing'], ['none']],
      [['other'], ['odd']],
      [[], []],
    ];
    for (const [chosen, expected] of states) {
      const report = await retry(chosen);
      assert.equal(report.written, expected.length);
      assert.equal(await written(), expected.map(id => `${request(id)}\n`).join(''), chosen.join());
    }
  });

  it('gives bare params the id that was made for them', async () => {
    const source = '\ufeff{"model":"m","max_tokens":1.50}\r\n\n\t{"model":"n"}  ';
    await writeFile(file('source'), source);
    await writeFile(file('lines'), '0\tline-1\n2\tline-3\n');
    await join([
      ['line-3', { type: 'errored' }],
      ['line-1', { type: 'errored' }],
    ]);
    assert.deepEqual(await retry(['errored'], createHash('sha256').update(source).digest('hex')), { written: 2, sourceChanged: false });
    assert.equal(
      await written(),
      '{"custom_id":"line-1","params":{"model":"m","max_tokens":1.50}}\n{"custom_id":"line-3","params":{"model":"n"}}\n',
    );
  });

  it('refuses bare params of a file that is another', async () => {
    await writeFile(file('source'), '{"model":"m"}\n');
    await writeFile(file('lines'), '0\tline-1\n');
    await join([['line-1', { type: 'errored' }]]);
    await assert.rejects(retry(['errored'], '0'.repeat(64)), SourceChangedError);
  });

  it('says when the source was edited though every request still stands on its line', async () => {
    assert.deepEqual(await retry(['errored'], '0'.repeat(64)), { written: 1, sourceChanged: true });
  });

  it('refuses a source whose requests stand elsewhere, and leaves the old file', async () => {
    await writeFile(file('out'), 'old');
    const lines = ids.map(id => `${request(id)}\n`);
    const damaged = [
      lines.slice(1),
      lines.slice(0, -1),
      [...lines.slice(0, 3), '\n', ...lines.slice(3)],
      lines.map(text => text.replace('"late"', '"later"')),
      lines.map(text => text.replace('{"custom_id":"late",', '{')),
      lines.map((text, index) => (index === 2 ? text.slice(0, -3) : text)),
    ];
    for (const [index, text] of damaged.entries()) {
      await writeFile(file('source'), text.join(''));
      await assert.rejects(retry(['errored']), SourceChangedError, `${index}`);
    }
    assert.equal(await written(), 'old');
    assert.deepEqual(
      (await readdir(folder)).filter(name => name.endsWith('.part')),
      [],
    );
  });

  it('stops when it is cancelled', async () => {
    const throwIfAborted = () => {
      throw new DOMException('cancelled', 'AbortError');
    };
    const source = {
      sourcePath: file('source'),
      linesPath: file('lines'),
      indexPath: file('index'),
      outPath: file('out'),
      states: ['errored'] as const,
    };
    await assert.rejects(writeRetryFile(source, { ...quiet, throwIfAborted }), { name: 'AbortError' });
    assert.ok(!(await readdir(folder)).some(name => name.startsWith('out')));
  });
});
