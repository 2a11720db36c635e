import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { readPrices } from '../../../../../src/common/readPrices';
import { toPastRuns } from '../../../../../src/features/batches/runCost';
import { resultsAt, submissionOf } from '../fileRuns/submissionOf';

const prices = readPrices({ small: { input: 1, output: 2 } });
const query = { source: 'file:///evals.jsonl', connection: 'Work', prices };
const batch = (created_at: string, ended_at: string) => ({ id: 'b', processing_status: 'ended', created_at, ended_at }) as MessageBatch;
const fetched = (id: string, more: Parameters<typeof submissionOf>[1] = {}) => submissionOf(id, { results: resultsAt(`/${id}`), ...more });

describe('features/batches/sheet/pastRuns', () => {
  it('tells what the last run of the file took beside what it was estimated to', () => {
    const estimate = [{ model: 'small', inputLow: 500_000, inputHigh: 1_200_000, maxOutput: 1_000_000 }];
    const ended = batch('2026-01-03T00:00:00Z', '2026-01-03T00:12:00Z');
    const [run] = toPastRuns([fetched('3', { estimate, batch: ended })], query);
    assert.deepEqual(run, {
      ...{ startedAt: '2026-01-03T00:00:00Z', requests: 12, inputTokens: 1_000_000, outputTokens: 500_000 },
      ...{
        actual: { low: 2, high: 2, missing: { prices: [], answers: 0, cacheTime: 0 }, byAlias: [] },
        estimated: { low: 0.5, high: 3.2 },
        took: 12 * 60_000,
      },
    });
  });

  it('has the runs of the file alone, none of another connection or without results', () => {
    const found = toPastRuns(
      [
        fetched('1'),
        fetched('2', { source: 'file:///other.jsonl' }),
        fetched('3', { connection: 'Elsewhere' }),
        submissionOf('4'),
        fetched('5'),
      ],
      query,
    );
    assert.deepEqual(
      found.map(({ startedAt }) => startedAt.slice(9, 10)),
      ['5', '1'],
    );
  });

  it('says nothing of the time where the service tells none', () => {
    assert.equal(toPastRuns([fetched('1')], query)[0]?.took, undefined);
    assert.equal(toPastRuns([fetched('1')], { ...query, prices: new Map() })[0]?.actual, undefined);
  });
});
