import type { MessageBatch } from '../../../../../src/client/resources/messageBatches';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { used } from './used';

/** Returns a submission of an ended batch. The submission was sent on day `id` of January. */
export function submissionOf(id: string, more: Partial<Submission> = {}): Submission {
  return {
    id,
    source: 'file:///evals.jsonl',
    connection: 'Work',
    origin: 'http://127.0.0.1:1',
    fileBytes: 1,
    sha256: 'v1',
    requestCount: 12,
    bodyBytes: 1,
    models: [['small', 12]],
    state: 'created',
    batchId: `b-${id}`,
    batch: { id: `b-${id}`, processing_status: 'ended' } as MessageBatch,
    startedAt: `2026-01-0${id}T00:00:00Z`,
    ...more,
  };
}

/** Returns results of 12 requests with 2 errors and 1 cut answer, with 1,000,000 input and 500,000 output tokens. */
export function resultsAt(joinedPath: string): FetchedResults {
  const none = { count: 0, first: [] };
  const report: FetchedResults['report'] = {
    ...{ rawBytes: 1, cutShort: 1, refused: 0, inputTokens: 1_000_000, outputTokens: 500_000, countsMatch: true, complete: true },
    ...{ missing: none, unexpected: none, duplicate: none, damaged: { count: 0, firstLines: [] } },
    usage: [used('small', { inputTokens: 1_000_000, outputTokens: 500_000, answers: 10 })],
    counts: { succeeded: 10, errored: 2, canceled: 0, expired: 0, other: 0 },
  };
  return { joinedPath, fetchedAt: '2026-01-09T00:00:00Z', report };
}
