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
  likelyOutput({ model, requests, maxOutput, template: 0 }, past);

describe('features/batches/sheet/pastOutput', () => {
  it('adds up the answers of batches by model', () => {
    const { model } = toPastOutput(
      [fetched(10, 1000, one('a')), fetched(20, 500, one('b')), fetched(30, 300, one('a')), earlier],
      undefined,
      file,
    );
    assert.deepEqual(model.get('a'), { batches: 2, answers: 40, outputTokens: 1300 });
    assert.deepEqual(model.get('b'), { batches: 1, answers: 20, outputTokens: 500 });
  });

  it('counts a batch of several models for each of them', () => {
    const several = withUsage(used('a', { answers: 4, outputTokens: 40 }), used('b', { answers: 2, uncounted: 1, outputTokens: 300 }));
    const { model } = toPastOutput([several], undefined, file);
    assert.deepEqual(model.get('a'), { batches: 1, answers: 4, outputTokens: 40 });
    assert.deepEqual(model.get('b'), { batches: 1, answers: 1, outputTokens: 300 });
  });

  it('takes the history of the file first, then that of the model, and never that of other models', () => {
    const past = toPastOutput(
      [fetched(10, 1000, one('a')), fetched(10, 50, { ...one('a'), source: file }), fetched(9, 900, one('b'))],
      undefined,
      file,
    );
    assert.deepEqual(likely(past, 'a'), { tokens: 35, from: { batches: 1, answers: 10, outputTokens: 50, scope: 'file' } });
    assert.deepEqual(likely(past, 'b')?.from, { batches: 1, answers: 9, outputTokens: 900, scope: 'model' });
    assert.equal(likely(past, 'x'), undefined);
  });

  it('takes the history of requests with the same system prompt and tools before that of the model', () => {
    const estimate = (model: string, template: number) => ({ model, template, inputLow: 1, inputHigh: 1, maxOutput: 1 });
    const past = toPastOutput(
      [
        fetched(10, 1000, { ...one('a'), estimate: [estimate('a', 1)] }),
        fetched(10, 50, { ...one('a'), estimate: [estimate('a-20251001', 2)] }),
        fetched(10, 900, { ...one('a'), estimate: [estimate('a', 2), estimate('a-20251001', 3)] }),
        fetched(10, 80, { ...one('a'), estimate: [estimate('a', 0)] }),
      ],
      undefined,
      file,
    );
    const from = (template: number) => likelyOutput({ model: 'a', requests: 1, maxOutput: 100, template }, past)?.from;
    assert.deepEqual(from(2), { batches: 1, answers: 10, outputTokens: 50, scope: 'template' });
    assert.deepEqual([from(3)?.scope, from(0)?.scope, from(0)?.answers], ['model', 'model', 40]);
  });

  it('takes the history of the alias for a dated model, and the other way round', () => {
    const past = toPastOutput([withUsage(used('a-20251001', { answers: 2, outputTokens: 20 }))], undefined, file);
    assert.deepEqual([likely(past, 'a')?.tokens, likely(past, 'a-20250101')?.tokens], [70, 70]);
  });

  it('looks at the last ten batches, and only at those of the connection', () => {
    const many = [
      ...Array.from({ length: 10 }, () => fetched(1, 10, one('a'))),
      fetched(1, 1_000_000, one('a')),
      fetched(1, 1_000_000, { ...one('a'), connection: 'Other' }),
    ];
    assert.deepEqual(toPastOutput(many, 'Lab', file).model.get('a'), { batches: 10, answers: 10, outputTokens: 100 });
    assert.equal(toPastOutput(many, 'Nowhere', file).model.size, 0);
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
    assert.equal(toPastOutput([damaged, several, fetched(0, 0, one('a')), earlier], undefined, file).model.size, 0);
  });

  it('is never more than is allowed', () => {
    const past = toPastOutput([fetched(10, 1000, one('a'))], undefined, file);
    assert.equal(likely(past, 'a', 7, 500)?.tokens, 500);
    assert.equal(likely(past, 'a', 7, 0), undefined);
  });
});
