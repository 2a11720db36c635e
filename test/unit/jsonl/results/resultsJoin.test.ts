import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import type { PassContext } from '../../../../src/jsonl/files/lineFile';
import { LineMapError } from '../../../../src/jsonl/files/lineMap';
import { FileWriteError } from '../../../../src/jsonl/files/wholeFile';
import type { JoinSource } from '../../../../src/jsonl/results/joinedResults';
import { ResultsIndex } from '../../../../src/jsonl/results/resultsIndex';
import { joinResults, NotResultsError } from '../../../../src/jsonl/results/resultsJoin';
import { withDiskCalls } from '../../../helpers/diskCalls';
import { runs } from '../../../helpers/runs';

const quiet: PassContext = { throwIfAborted: () => {}, progress: () => {} };

const succeeded = (text: string, more: object = {}) => ({
  type: 'succeeded',
  message: { content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: { input_tokens: 2, output_tokens: 3 }, ...more },
});

const line = (id: string, result: object) => JSON.stringify({ custom_id: id, result });

describe('jsonl/results/resultsJoin', () => {
  let folder: string;
  let source: Required<Pick<JoinSource, 'rawPath' | 'joinedPath' | 'indexPath' | 'linesPath'>>;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'results-join-'));
    const file = (name: string) => path.join(folder, name);
    source = { rawPath: file('raw.jsonl'), joinedPath: file('a.results.jsonl'), indexPath: file('index'), linesPath: file('lines.tsv') };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(ids: readonly string[], raw: string | Uint8Array): Promise<void> {
    await writeFile(source.linesPath, ids.map((id, index) => `${index}\t${id}\n`).join(''));
    await writeFile(source.rawPath, raw);
  }

  const joined = () => readFile(source.joinedPath, 'utf8');

  it('writes results in input order, bytes unchanged, with 1-based lines', async () => {
    const c = '{ "type" : "succeeded", "message":{"stop_reason":"max_tokens","usage":{"output_tokens":1.0e1}, "n":12345678901234567890} }';
    await writeFile(source.linesPath, '0\ta\n2\tb\n7\tc\n');
    await writeFile(
      source.rawPath,
      `{"custom_id":"c","result":${c}}\n${line('a', { type: 'expired' })}\r\n${line('b', { type: 'canceled' })}`,
    );
    const { report } = await joinResults(
      { ...source, expectedCounts: { processing: 0, succeeded: 1, errored: 0, canceled: 1, expired: 1 } },
      quiet,
    );
    assert.equal(
      await joined(),
      `{"custom_id":"a","line":1,"result":{"type":"expired"}}\n{"custom_id":"b","line":3,"result":{"type":"canceled"}}\n{"custom_id":"c","line":8,"result":${c}}\n`,
    );
    assert.equal(report.complete, true);
    assert.equal(report.cutShort, 1);
    assert.equal(report.outputTokens, 10);
    assert.equal((await stat(source.joinedPath)).mode & 0o777, 0o600);
    assert.deepEqual((await readdir(folder)).sort(), ['a.results.jsonl', 'index', 'lines.tsv', 'raw.jsonl']);
  });

  it('names missing, unexpected, duplicate and damaged lines, and keeps every readable one', async () => {
    const raw = Buffer.concat([
      Buffer.from(`${line('c', succeeded('c'))}\n\n{"custom_id":"a","resu\n`),
      Buffer.from([...Buffer.from('{"custom_id":"a","result":{"type":"succeeded","x":"'), 0xff, ...Buffer.from('"}}\n')]),
      Buffer.from(`<html>\n{"result":{"type":"expired"}}\n${line('other', { type: 'expired' })}\n${line('c', { type: 'errored' })}\n`),
      Buffer.from(
        `${line('other', { type: 'canceled' })}\n${line('b', succeeded('\u2028', { stop_reason: 'refusal' }))}\n{"custom_id":"d","result":{"type":"ex`,
      ),
    ]);
    await write(['a', 'b', 'c', 'd'], raw);
    const { report } = await joinResults(source, quiet);
    assert.deepEqual(report.missing, { count: 2, first: ['a', 'd'] });
    assert.deepEqual(report.unexpected, { count: 1, first: ['other'] });
    assert.deepEqual(report.duplicate, { count: 2, first: ['c', 'other'] });
    assert.deepEqual(report.damaged, { count: 5, firstLines: [2, 3, 4, 5, 10] });
    assert.equal(report.refused, 1);
    assert.equal(report.complete, false);
    assert.deepEqual(
      (await joined())
        .trimEnd()
        .split('\n')
        .map(text => JSON.parse(text)),
      [
        { custom_id: 'b', line: 2, result: succeeded('\u2028', { stop_reason: 'refusal' }) },
        { custom_id: 'c', line: 3, result: succeeded('c') },
        { custom_id: 'other', line: null, result: { type: 'expired' } },
      ],
    );
  });

  it('reports that the batch has other counts', async () => {
    await write(['a'], line('a', { type: 'expired' }));
    const counts = { processing: 0, succeeded: 1, errored: 0, canceled: 0, expired: 0 };
    const { report } = await joinResults({ ...source, expectedCounts: counts }, quiet);
    assert.equal(report.countsMatch, false);
    assert.equal(report.complete, false);
  });

  it('keeps results of unknown type', async () => {
    await write(['a', 'b'], `${line('a', { type: 'paused', why: 1 })}\n${line('b', {})}\n`);
    const { report } = await joinResults(source, quiet);
    assert.equal(report.counts.other, 2);
    assert.equal(report.complete, true);
    assert.match(await joined(), /"type":"paused","why":1/);
  });

  it('keeps the order of the results if the lines are unknown', async () => {
    await write([], `${line('z', { type: 'expired' })}\n${line('a', { type: 'expired' })}\n`);
    const { linesPath: _, ...withoutLines } = source;
    const { report } = await joinResults(withoutLines, quiet);
    assert.equal(report.complete, true);
    assert.equal(
      await joined(),
      '{"custom_id":"z","line":null,"result":{"type":"expired"}}\n{"custom_id":"a","line":null,"result":{"type":"expired"}}\n',
    );
  });

  it('equals a join in memory for any order with missing, duplicate, unknown and damaged lines', async () => {
    const id = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'a', 'line-1', 'ä"\\'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }),
    );
    const result = fc.oneof(
      fc.record({ type: fc.constantFrom('succeeded', 'errored', 'expired', 'new'), x: fc.jsonValue({ maxDepth: 2 }) }),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map(text => succeeded(text)),
    );
    const scenario = fc.record({
      input: fc.uniqueArray(id, { maxLength: 12 }),
      answers: fc.array(fc.record({ pick: fc.nat(20), extra: id, result, damaged: fc.nat(7).map(n => n === 0) }), {
        minLength: 1,
        maxLength: 25,
      }),
      lastLineFeed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ input, answers, lastLineFeed }) => {
        const lines = answers.map(({ pick, extra, result, damaged }) => {
          const text = line(input[pick] ?? extra, result);
          return damaged ? text.slice(0, -1 - (pick % text.length)) : text;
        });
        await write(input, lines.join('\n') + (lastLineFeed ? '\n' : ''));
        const kept = new Map<string, unknown>();
        let damaged = 0;
        for (const text of lines) {
          try {
            const value = JSON.parse(text) as { custom_id: string; result: unknown };
            kept.set(value.custom_id, kept.get(value.custom_id) ?? value.result);
          } catch {
            damaged += text === '' ? 0 : 1;
          }
        }
        if (kept.size === 0) {
          return;
        }
        if (input.length > 0 && !input.some(customId => kept.has(customId))) {
          await assert.rejects(joinResults(source, quiet), { name: 'OtherRequestsError' });
          return;
        }
        const expected = [
          ...input.flatMap((customId, index) =>
            kept.has(customId) ? [{ custom_id: customId, line: index + 1, result: kept.get(customId) }] : [],
          ),
          ...[...kept]
            .filter(([customId]) => !input.includes(customId))
            .map(([customId, value]) => ({ custom_id: customId, line: null, result: value })),
        ];
        const { report } = await joinResults(source, quiet);
        const text = await joined();
        assert.equal(text, expected.map(value => `${JSON.stringify(value)}\n`).join(''));
        assert.equal(report.damaged.count, damaged);
        assert.deepEqual(
          report.missing.first,
          input.filter(customId => !kept.has(customId)),
        );
        const index = await ResultsIndex.open(source.indexPath, source.joinedPath);
        for (const [row, value] of expected.entries()) {
          const entry = index.entryOfId(value.custom_id);
          assert.equal(entry?.row, row);
          assert.deepEqual(JSON.parse(await index.read(entry)), JSON.parse(JSON.stringify(value)));
          assert.equal(index.entryOfLine(entry.line)?.customId, value.line === null ? undefined : value.custom_id);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('joins files larger than its windows', async () => {
    // 45 MB for a window of 32 MiB.
    const texts = Array.from({ length: 5 }, (_, index) => String(index).repeat(9_000_000));
    const order = [4, 0, 2, 1, 3];
    await write(
      texts.map((_, index) => `id${index}`),
      order.map(index => line(`id${index}`, succeeded(texts[index] ?? ''))).join('\n'),
    );
    const { report } = await joinResults(source, quiet);
    assert.equal(report.complete, true);
    assert.equal(
      await joined(),
      texts.map((text, index) => `{"custom_id":"id${index}","line":${index + 1},"result":${JSON.stringify(succeeded(text))}}\n`).join(''),
    );
  });

  it('counts a line over 32 MiB as damaged and continues after it', async () => {
    await write(
      ['a', 'b', 'c'],
      `${line('a', { type: 'expired' })}\n${line('b', succeeded('x'.repeat(40 << 20)))}\n${line('c', { type: 'expired' })}\n`,
    );
    const { report } = await joinResults(source, quiet);
    assert.deepEqual(report.damaged, { count: 1, firstLines: [1] });
    assert.deepEqual(report.missing.first, ['b']);
    assert.equal(report.counts.expired, 2);
  });

  describe('with requests', () => {
    const withRequests = () => ({ ...source, requestsPath: path.join(folder, 'a.jsonl') });

    it('puts the bytes of params, or of the whole bare line, before the result', async () => {
      const { requestsPath } = withRequests();
      await writeFile(requestsPath, `\ufeff{"params": { "max_tokens" : 1.50 }, "custom_id":"a"}\r\n\n  {"model":"m"} \n`);
      await writeFile(source.linesPath, '0\ta\n2\tline-3\n');
      await writeFile(
        source.rawPath,
        [line('x', { type: 'expired' }), line('line-3', { type: 'expired' }), line('a', { type: 'expired' })].join('\n'),
      );
      await joinResults(withRequests(), quiet);
      assert.equal(
        await joined(),
        '{"custom_id":"a","line":1,"request":{ "max_tokens" : 1.50 },"result":{"type":"expired"}}\n' +
          '{"custom_id":"line-3","line":3,"request":{"model":"m"},"result":{"type":"expired"}}\n' +
          '{"custom_id":"x","line":null,"result":{"type":"expired"}}\n',
      );
      const index = await ResultsIndex.open(source.indexPath, source.joinedPath);
      assert.equal(index.entryOfLine(2)?.customId, 'line-3');
    });

    it('rejects a source that differs from what was sent', async () => {
      const { requestsPath } = withRequests();
      await write(['a', 'b'], line('a', { type: 'expired' }));
      await writeFile(requestsPath, '{"custom_id":"a","params":{}}\n{"custom_id":"c","params":{}}\n');
      await assert.rejects(
        joinResults(withRequests(), quiet),
        error => error instanceof SourceChangedError && /"b" is no longer on line 2/.test(error.message),
      );
      await writeFile(requestsPath, '{"custom_id":"a","params":{}}\n{"custom_id":"b","params":{}}\n');
      await joinResults(withRequests(), quiet);
      await assert.rejects(joinResults({ ...withRequests(), sourceSha256: '0'.repeat(64) }, quiet), SourceChangedError);
    });
  });

  describe('on failure', () => {
    beforeEach(async () => {
      await write(['a', 'b'], `${line('b', succeeded('b'))}\n${line('a', succeeded('a'))}\n`);
      await writeFile(source.joinedPath, 'old');
      await writeFile(source.indexPath, 'old index');
    });

    afterEach(async () => {
      assert.deepEqual(
        (await readdir(folder)).filter(name => name.endsWith('.part')),
        [],
      );
    });

    async function assertUntouched(): Promise<void> {
      assert.equal(await joined(), 'old');
      assert.equal(await readFile(source.indexPath, 'utf8'), 'old index');
    }

    it('leaves the old file when the disk is full, and reports it', async () => {
      const full = () => {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      };
      await withDiskCalls({ write: full }, () =>
        assert.rejects(
          joinResults(source, quiet),
          error => error instanceof FileWriteError && error.code === 'ENOSPC' && /disk is full/.test(error.message),
        ),
      );
      await assertUntouched();
    });

    it("leaves the old file when the bytes can't be flushed", async () => {
      const sync = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
      await withDiskCalls({ sync }, () => assert.rejects(joinResults(source, quiet), FileWriteError));
      await assertUntouched();
    });

    it('leaves the old file whenever it is canceled', async () => {
      for (let allowed = 0; ; allowed++) {
        let asked = 0;
        const throwIfAborted = () => {
          if (asked++ === allowed) {
            throw new DOMException('cancelled', 'AbortError');
          }
        };
        const outcome = await joinResults(source, { ...quiet, throwIfAborted }).then(
          () => 'done',
          error => error.name,
        );
        if (outcome === 'done') {
          assert.ok(allowed >= 3, 'it asked often enough');
          break;
        }
        assert.equal(outcome, 'AbortError');
        await assertUntouched();
      }
    });

    it('ends at once when it is canceled while the disk is slow', async () => {
      const controller = new AbortController();
      const sync = () => {
        controller.abort(new DOMException('cancelled', 'AbortError'));
        return new Promise<void>(() => {});
      };
      await withDiskCalls({ sync }, () =>
        assert.rejects(joinResults(source, { ...quiet, signal: controller.signal }), { name: 'AbortError' }),
      );
      await assertUntouched();
    });

    it('never writes through a link', async () => {
      const outside = path.join(folder, 'outside');
      await writeFile(outside, 'mine');
      await rm(source.joinedPath);
      await symlink(outside, source.joinedPath);
      await assert.rejects(joinResults(source, quiet), error => error instanceof FileWriteError && /it is a link/.test(error.message));
      assert.equal(await readFile(outside, 'utf8'), 'mine');
    });

    it('rejects a file without a single result', async () => {
      await writeFile(source.rawPath, '<!doctype html>\n<p>Please log in</p>\n');
      await assert.rejects(joinResults(source, quiet), NotResultsError);
      await assertUntouched();
    });

    it('rejects a damaged line map', async () => {
      for (const text of ['0\ta\n0\tb\n', '0\ta\n1\ta\n', 'x\ta\n', '0\ta', '0 a\n', '5\ta\n1\tb\n', '99999999999\ta\n']) {
        await writeFile(source.linesPath, text);
        await assert.rejects(joinResults(source, quiet), LineMapError, text);
      }
      await assertUntouched();
    });
  });
});
