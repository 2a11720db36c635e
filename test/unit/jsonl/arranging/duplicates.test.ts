import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findDuplicates, type RepeatKind, writeUnique } from '../../../../src/jsonl/arranging/duplicates';
import { CanonicalJson } from '../../../../src/jsonl/arranging/paramsHash';
import { JsonBytes } from '../../../../src/jsonl/scanning/jsonBytes';
import { anyCharacter } from '../../../helpers/anyCharacter';
import { runs } from '../../../helpers/runs';
import { anyFile, linesOf, params, quiet, request, TestFiles } from './requestFiles';

describe('jsonl/arranging/duplicates canonicalJson', () => {
  const json = new JsonBytes();
  const canonical = new CanonicalJson(json);
  const write = (text: string) => {
    json.bytes = Buffer.from(`${text}\n`);
    return Buffer.from(canonical.write(0, json.bytes.length - 1)).toString();
  };

  it('removes white space, sorts keys and normalizes strings', () => {
    assert.equal(
      write('{ "b" : [ 1 , {"z":1.0,"a":-0e1} ], "a" : "\\u0041\\/\\u00e9" , "é":null,"":true}'),
      '{""true,"a""A/é","b"[1,{"a"-0e1,"z"1.0,},],"é"null,}',
    );
  });

  it('distinguishes numbers by their digits, and keeps duplicate keys', () => {
    assert.notEqual(write('[1]'), write('[1.0]'));
    assert.notEqual(write('{"a":1,"a":2}'), write('{"a":2,"a":1}'));
  });

  it('accepts any nesting', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assert.equal(write(deep), deep);
  });

  it('is the same for equal values and differs for others', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, shuffled(inner)]),
            )
          : value;
    // JavaScript objects sort integer keys, so `shuffled` doesn't move such keys.
    const value = fc.jsonValue({ stringUnit: anyCharacter });
    fc.assert(
      fc.property(value, value, (one, other) => {
        assert.equal(write(JSON.stringify(one)), write(JSON.stringify(shuffled(one), null, 2).replaceAll('\n', ' ')));
        const isSame = write(JSON.stringify(one)) === write(JSON.stringify(other));
        assert.equal(isSame, write(JSON.stringify(shuffled(one))) === write(JSON.stringify(shuffled(other))));
        if (JSON.stringify(one) !== JSON.stringify(other) && isSame) {
          assert.deepEqual(shuffled(one), shuffled(other));
        }
      }),
    );
  });
});

describe('jsonl/arranging/duplicates', () => {
  const files = new TestFiles();
  const find = (text: string) => findDuplicates({ path: files.write('in.jsonl', text) }, quiet);

  const reordered = (id: string) =>
    `{"params": {"messages":[{"content":"Hello","role":"user"}],"max_tokens":1,"model":"m"}, "custom_id":"${id}"}`;
  const file = [request('a'), reordered('b'), '', request('a'), 'broken', request('a', 'other'), params(), request('c', 'new')].join('\n');

  it('finds equal params under any ID, equal requests, and equal IDs', () => {
    const report = find(file);
    assert.deepEqual(report.repeats, { params: 3, request: 1, id: 2 });
    assert.equal(report.requests, 6);
    assert.deepEqual(report.sameParams, [
      {
        first: { line: 0, id: 'a' },
        later: [
          { line: 1, id: 'b' },
          { line: 3, id: 'a' },
          { line: 6, id: undefined },
        ],
        laterCount: 3,
      },
    ]);
    assert.deepEqual(report.sameIds, [{ first: { line: 0, id: 'a' }, later: [{ line: 5, id: 'a' }], laterCount: 1 }]);
    assert.deepEqual([report.blank, report.broken], [1, { count: 1, first: [4] }]);
  });

  it('treats requests without params as unique', () => {
    assert.deepEqual(find('{"custom_id":"a"}\n{"custom_id":"b"}\n').repeats, { params: 0, request: 0, id: 0 });
  });

  async function unique(text: string, by: RepeatKind) {
    const report = await writeUnique({ path: files.write('in.jsonl', text), outPath: files.at('out.jsonl'), by }, quiet);
    return { report, lines: linesOf(files.read('out.jsonl')) };
  }

  it('writes the first of each', async () => {
    assert.deepEqual((await unique(file, 'params')).lines, [request('a'), 'broken', request('a', 'other'), request('c', 'new')]);
    assert.deepEqual((await unique(file, 'request')).lines, [
      request('a'),
      reordered('b'),
      'broken',
      request('a', 'other'),
      params(),
      request('c', 'new'),
    ]);
    assert.deepEqual((await unique(file, 'id')).lines, [request('a'), reordered('b'), 'broken', params(), request('c', 'new')]);
  });

  it('keeps a byte order mark inside a line that becomes the first one', async () => {
    const { report, lines } = await unique(`\n\ufeff${params()}\n${params()}\n`, 'params');
    assert.deepEqual(lines, [`\ufeff${params()}`, params()]);
    assert.deepEqual([report.broken.first, report.dropped], [[1], 0]);
  });

  it('removes as many as it found, keeps the first of each, and finds none afterwards', async () => {
    const doubled = fc.tuple(anyFile, anyFile).map(([a, b]) => `${a}\n${b}\n${a.replace(/^\ufeff/, '')}`);
    await fc.assert(
      fc.asyncProperty(doubled, fc.constantFrom<RepeatKind>('params', 'request', 'id'), async (text, by) => {
        const found = find(text).repeats[by];
        const { report, lines } = await unique(text, by);
        const source = linesOf(text);
        assert.equal(report.dropped, found);
        assert.equal(lines.length, source.length - found);
        let at = -1;
        for (const line of lines) {
          at = source.indexOf(line, at + 1);
          assert.ok(at >= 0, line);
        }
        assert.equal(find(files.read('out.jsonl')).repeats[by], 0);
      }),
      { numRuns: runs(100) },
    );
  });
});
