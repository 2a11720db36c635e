import assert from 'node:assert/strict';
import { likelyOutput, toPastOutput } from '../../../../../src/features/batches/sheet/pastOutput';
import type { Submission } from '../../../../../src/features/ledger/submission';
import type { ResultsReport } from '../../../../../src/jsonl/results/resultsReport';
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
const one = (model: string, requests = 2) => ({ models: [[model, requests] as const] });

describe('features/batches/sheet/pastOutput', () => {
  it('adds up the answers of batches with one model by model, and of all batches', () => {
    const past = toPastOutput(
      [fetched(10, 1000, one('a')), fetched(20, 500, one('b')), fetched(30, 300, one('a')), fetched(5, 50), earlier],
      undefined,
    );
    assert.deepEqual(past.byModel.get('a'), { batches: 2, answers: 40, outputTokens: 1300 });
    assert.deepEqual(past.byModel.get('b'), { batches: 1, answers: 20, outputTokens: 500 });
    assert.deepEqual(past.all, { batches: 4, answers: 65, outputTokens: 1850 });
  });

  it('tells nothing of one model by a batch with several, or of answers that there are none', () => {
    const several = fetched(10, 1000, {
      models: [
        ['a', 1],
        ['b', 1],
      ],
    });
    assert.equal(toPastOutput([several], undefined).byModel.size, 0);
    assert.deepEqual(toPastOutput([fetched(0, 0, one('a')), earlier], undefined), { byModel: new Map(), all: undefined });
  });

  it('looks at the last ten batches, and only at those of the connection', () => {
    const many = [
      ...Array.from({ length: 10 }, () => fetched(1, 10, one('a'))),
      fetched(1, 1_000_000, one('a')),
      fetched(1, 1_000_000, { ...one('a'), connection: 'Other' }),
    ];
    assert.deepEqual(toPastOutput(many, 'Lab').byModel.get('a'), { batches: 10, answers: 10, outputTokens: 100 });
    assert.equal(toPastOutput(many, 'Nowhere').all, undefined);
  });

  it('reads records that are older, or damaged, as no past', () => {
    const { results, ...rest } = fetched(3, 9);
    assert.ok(results);
    const { outputTokens: _, ...report } = results.report;
    const damaged = { ...rest, results: { ...results, report: report as ResultsReport } };
    assert.equal(toPastOutput([damaged], undefined).all, undefined);
  });

  it('takes what answers of the model had on average, up to what is allowed', () => {
    const past = toPastOutput([fetched(10, 1000, one('a')), fetched(10, 3000)], undefined);
    assert.deepEqual(likelyOutput({ model: 'a', requests: 7, maxOutput: 10_000 }, past), { tokens: 700, from: past.byModel.get('a') });
    assert.deepEqual(likelyOutput({ model: 'x', requests: 7, maxOutput: 10_000 }, past), { tokens: 1400, from: past.all });
    assert.equal(likelyOutput({ model: 'a', requests: 7, maxOutput: 500 }, past)?.tokens, 500);
    assert.equal(likelyOutput({ model: 'a', requests: 7, maxOutput: 0 }, past), undefined);
    assert.equal(likelyOutput({ model: 'a', requests: 7, maxOutput: 500 }, toPastOutput([], undefined)), undefined);
  });
});
