import assert from 'node:assert/strict';
import { likelyOutput, toPastOutput } from '../../../../../src/features/batches/sheet/pastOutput';
import type { Submission } from '../../../../../src/features/ledger/submission';
import type { ResultsReport } from '../../../../../src/jsonl/results/resultsReport';
import type { ModelUsage } from '../../../../../src/jsonl/results/resultUsage';
import { used } from '../fileRuns/used';
import { earlier } from './sheetUnderTest';

const none = { count: 0, first: [] };
const fetched = (succeeded: number, outputTokens: number, change: Partial<Submission> = {}): Submission => {
  const report: ResultsReport = {
    ...{ rawBytes: 1, cutShort: 0, refused: 0, inputTokens: 1, outputTokens, missing: none, unexpected: none, duplicate: none },
    ...{ damaged: { count: 0, firstLines: [] }, countsMatch: true, complete: true },
    counts: { succeeded, errored: 1, canceled: 0, expired: 0, other: 0 },
  };
  return { ...earlier, results: { joinedPath: '/a', fetchedAt: earlier.startedAt, report }, ...change };
};
const withUsage = (...usage: readonly ModelUsage[]): Submission => {
  const submission = fetched(1, 1);
  const { results } = submission;
  assert.ok(results);
  return { ...submission, results: { ...results, report: { ...results.report, usage } } };
};
const one = (model: string, requests = 2) => ({ models: [[model, requests] as const] });

const file = 'file:///mine.jsonl';
const likely = (past: ReturnType<typeof toPastOutput>, model: string, requests = 7, maxOutput = 10_000) =>
  likelyOutput({ model, requests, maxOutput }, past);

describe('features/batches/sheet/pastOutput', () => {
  it('adds up the answers of batches by model', () => {
    const { ofAll } = toPastOutput(
      [fetched(10, 1000, one('a')), fetched(20, 500, one('b')), fetched(30, 300, one('a')), earlier],
      undefined,
      file,
    );
    assert.deepEqual(ofAll.get('a'), { batches: 2, answers: 40, outputTokens: 1300 });
    assert.deepEqual(ofAll.get('b'), { batches: 1, answers: 20, outputTokens: 500 });
  });

  it('counts a batch of several models for each of them', () => {
    const several = withUsage(used('a', { answers: 4, outputTokens: 40 }), used('b', { answers: 2, uncounted: 1, outputTokens: 300 }));
    const { ofAll } = toPastOutput([several], undefined, file);
    assert.deepEqual(ofAll.get('a'), { batches: 1, answers: 4, outputTokens: 40 });
    assert.deepEqual(ofAll.get('b'), { batches: 1, answers: 1, outputTokens: 300 });
  });

  it('takes the history of the file first, then that of the model, and never that of other models', () => {
    const past = toPastOutput(
      [fetched(10, 1000, one('a')), fetched(10, 50, { ...one('a'), source: file }), fetched(9, 900, one('b'))],
      undefined,
      file,
    );
    assert.deepEqual(likely(past, 'a'), { tokens: 35, from: { batches: 1, answers: 10, outputTokens: 50, isOfFile: true, model: 'a' } });
    assert.deepEqual(likely(past, 'b')?.from, { batches: 1, answers: 9, outputTokens: 900, isOfFile: false, model: 'b' });
    assert.equal(likely(past, 'x'), undefined);
  });

  it('takes the history of the alias for a dated model, and the other way round', () => {
    const past = toPastOutput([withUsage(used('a-20251001', { answers: 2, outputTokens: 20 }))], undefined, file);
    assert.equal(likely(past, 'a')?.tokens, 70);
    assert.deepEqual([likely(past, 'a-20250101')?.tokens, likely(past, 'a-20250101')?.from.model], [70, 'a']);
  });

  it('looks at the last ten batches, and only at those of the connection', () => {
    const many = [
      ...Array.from({ length: 10 }, () => fetched(1, 10, one('a'))),
      fetched(1, 1_000_000, one('a')),
      fetched(1, 1_000_000, { ...one('a'), connection: 'Other' }),
    ];
    assert.deepEqual(toPastOutput(many, 'Lab', file).ofAll.get('a'), { batches: 10, answers: 10, outputTokens: 100 });
    assert.equal(toPastOutput(many, 'Nowhere', file).ofAll.size, 0);
  });

  it('reads records that are older, damaged or without answers as no past', () => {
    const { results, ...rest } = fetched(3, 9, one('a'));
    assert.ok(results);
    const { outputTokens: _, ...report } = results.report;
    const damaged = { ...rest, results: { ...results, report: report as ResultsReport } };
    const several = fetched(10, 1000, {
      models: [
        ['a', 1],
        ['b', 1],
      ],
    });
    assert.equal(toPastOutput([damaged, several, fetched(0, 0, one('a')), earlier], undefined, file).ofAll.size, 0);
  });

  it('is never more than is allowed', () => {
    const past = toPastOutput([fetched(10, 1000, one('a'))], undefined, file);
    assert.equal(likely(past, 'a', 7, 500)?.tokens, 500);
    assert.equal(likely(past, 'a', 7, 0), undefined);
  });
});
