import assert from 'node:assert/strict';
import fc from 'fast-check';
import { idPrefixes } from '../../../../src/jsonl/arranging/idPrefixes';
import { type MergeIds, mergeFiles, surveyMerge } from '../../../../src/jsonl/arranging/mergeFiles';
import { planSplit, splitFile } from '../../../../src/jsonl/arranging/splitPlan';
import { runs } from '../../../helpers/runs';
import { anyFile, linesOf, params, quiet, request, TestFiles } from './requestFiles';

describe('jsonl/arranging/mergeFiles', () => {
  const files = new TestFiles();
  const place = (...texts: readonly string[]) => texts.map((text, index) => files.write(`in-${index}.jsonl`, text));

  async function merge(texts: readonly string[], ids: MergeIds = { kind: 'keep' }) {
    const report = await mergeFiles({ paths: place(...texts), outPath: files.at('out.jsonl'), ids }, quiet);
    return { report, text: files.read('out.jsonl') };
  }

  it('concatenates files with a newline between them, without byte order marks and blank lines', async () => {
    const { text, report } = await merge([`\ufeff${request('a')}`, `\n${request('b')}\r\n`, '', `\ufeff${params()}`]);
    assert.equal(text, `${request('a')}\n${request('b')}\r\n${params()}\n`);
    assert.equal(report.written, 3);
  });

  it('reports duplicate IDs, and which of them repeat their request', () => {
    const reordered = '{"params":{"messages":[{"content":"Hello","role":"user"}],"max_tokens":1,"model":"m"},"custom_id":"a"}';
    const paths = place(`${request('a')}\n${request('b')}\n`, `${reordered}\nbroken\n${request('b', 'other')}\n${params()}\n`);
    const survey = surveyMerge({ paths }, quiet);
    assert.deepEqual([survey.repeatedIds, survey.repeats], [2, 1]);
    assert.deepEqual(survey.example, { id: 'a', line: 0 });
    assert.deepEqual(survey.files[1], { blank: 0, broken: { count: 1, first: [1] } });
  });

  it('drops only requests that repeat both ID and params', async () => {
    const { text, report } = await merge([`${request('a')}\n${request('b')}\n`, `${request('b', 'other')}\n${request('a')}\n`], {
      kind: 'dropRepeats',
    });
    assert.equal(text, `${request('a')}\n${request('b')}\n${request('b', 'other')}\n`);
    assert.equal(report.dropped, 1);
  });

  it("puts the file's name before IDs, and changes nothing else", async () => {
    const long = 'x'.repeat(62);
    const odd = `{ "params" : ${params()} , "custom_id" : "c" }`;
    const { text, report } = await merge([`${request('a')}\n${odd}\n`, `${request('a')}\n${request(long)}\n${params()}\n`], {
      kind: 'prefix',
      prefixes: ['one', 'two'],
    });
    const lines = text.split('\n');
    assert.equal(lines[0], request('one-a'));
    assert.equal(lines[1], odd.replace('"c"', '"one-c"'));
    assert.equal(lines[2], request('two-a'));
    assert.match(lines[3] ?? '', /^\{"custom_id":"two-x{51}-[0-9a-f]{8}","params":/);
    assert.equal(lines[4], params());
    assert.equal(report.shortened, 1);
  });

  it('never lets two files share a prefixed ID, in any combination', async () => {
    const { text } = await merge([`${request('b-c')}\n`, `${request('c')}\n`], { kind: 'prefix', prefixes: ['a', 'a-b'] });
    const ids = text.match(/(?<="custom_id":")[^"]+/g) ?? [];
    assert.equal(new Set(ids).size, 2, ids.join());
  });

  it('derives prefixes from file names', () => {
    assert.deepEqual(idPrefixes(['a b.jsonl', 'a-b.jsonl', 'ü.jsonl', 'part.one.jsonl']), ['a-b', 'a-b-2', 'file-3', 'part-one']);
  });

  it('rejoins what was split', async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, fc.integer({ min: 1, max: 4 }), async (text, parts) => {
        const path = files.write('whole.jsonl', text);
        const plan = planSplit({ path, limits: { maxRequests: 1e5, maxBytes: 1e9 }, parts }, quiet);
        const outPaths = plan.parts.map((_, index) => files.at(`part-${index}.jsonl`));
        await splitFile({ path, plan, outPaths }, quiet);
        await mergeFiles({ paths: outPaths, outPath: files.at('again.jsonl'), ids: { kind: 'keep' } }, quiet);
        const expected =
          plan.bare > 0
            ? undefined
            : linesOf(text)
                .map(line => `${line}\n`)
                .join('');
        const merged = files.read('again.jsonl');
        assert.equal(merged.split('\n').length - 1, linesOf(text).length);
        assert.equal(merged, expected ?? merged);
      }),
      { numRuns: runs(60) },
    );
  });
});
