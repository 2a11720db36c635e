import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { readPrices } from '../../../../../src/common/readPrices';
import { toPastRuns } from '../../../../../src/features/batches/sheet/pastRuns';
import { resultsAt, submissionOf } from '../fileRuns/submissionOf';

const prices = readPrices({ small: { input: 1, output: 2 } });
const query = { source: 'file:///evals.jsonl', models: ['small'], connection: 'Work', prices };
const batch = (created_at: string, ended_at: string) => ({ id: 'b', processing_status: 'ended', created_at, ended_at }) as MessageBatch;
const fetched = (id: string, more: Parameters<typeof submissionOf>[1] = {}) => submissionOf(id, { results: resultsAt(`/${id}`), ...more });

describe('features/batches/sheet/pastRuns', () => {
  it('tells what the last run of the file took beside what it was estimated to', () => {
    const [run] = toPastRuns(
      [
        fetched('3', {
          estimate: [{ model: 'small', inputLow: 500_000, inputHigh: 1_200_000, maxOutput: 1_000_000 }],
          batch: batch('2026-01-03T00:00:00Z', '2026-01-03T00:12:00Z'),
        }),
      ],
      query,
    );
    assert.deepEqual(run, {
      ...{ fileName: undefined, startedAt: '2026-01-03T00:00:00Z', requests: 12, inputTokens: 1_000_000, outputTokens: 500_000 },
      ...{
        actual: { low: 2, high: 2, missing: { prices: [], answers: 0, cacheTime: 0, models: false }, byAlias: [] },
        estimated: { low: 0.5, high: 3.2 },
        took: 12 * 60_000,
      },
    });
  });

  it('has those of the file first, then of the very same models, and none of another connection or without results', () => {
    const other = { source: 'file:///other.jsonl' };
    const found = toPastRuns(
      [
        fetched('1'),
        fetched('2', other),
        fetched('3', { ...other, models: [['large', 1]] }),
        fetched('4', { ...other, connection: 'Elsewhere' }),
        submissionOf('5'),
        fetched('6', other),
        fetched('7', other),
      ],
      query,
    );
    assert.deepEqual(
      found.map(({ fileName, startedAt }) => [fileName, startedAt.slice(9, 10)]),
      [
        [undefined, '1'],
        ['other.jsonl', '7'],
        ['other.jsonl', '6'],
      ],
    );
  });

  it('says nothing of the time where the service tells none', () => {
    assert.equal(toPastRuns([fetched('1')], query)[0]?.took, undefined);
    assert.equal(toPastRuns([fetched('1')], { ...query, prices: new Map() })[0]?.actual, undefined);
  });
});
