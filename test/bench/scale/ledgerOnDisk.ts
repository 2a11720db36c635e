// A ledger after a year of work: each submission with its batch and results, and every fourth one a retry of the previous one.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MessageBatch } from '../../../src/client/resources/messageBatches';
import { folderOf, type Submission } from '../../../src/features/ledger/submission';
import { submissionFileName } from '../../../src/features/ledger/submissionFile';
import type { ResultsReport } from '../../../src/jsonl/results/resultsReport';

export const connection = 'A';
export const requests = 1000;

export const idOf = (row: number) => `${row.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Returns the batch at an index of the service's list, newest first. */
export function batchOf(row: number, now: number, status = 'ended'): MessageBatch {
  const ended = status === 'ended';
  const created = now - row * 60_000 - 3_600_000;
  return {
    id: `msgbatch_${row}`,
    type: 'message_batch',
    processing_status: status,
    request_counts: {
      processing: ended ? 0 : requests,
      succeeded: ended ? requests - (row % 7) : 0,
      errored: ended ? row % 7 : 0,
      canceled: 0,
      expired: 0,
    },
    created_at: new Date(created).toISOString(),
    ended_at: ended ? new Date(created + 600_000).toISOString() : null,
    results_url: ended ? `https://service.example/v1/messages/batches/msgbatch_${row}/results` : null,
  };
}

/** Returns the file of a submission. Each file has twenty runs. */
export const sourceOf = (row: number) => `file:///files/requests-${Math.floor(row / 20)}.jsonl`;

export function submissionOf(row: number, now: number): Submission {
  const batch = batchOf(row, now);
  const none = { count: 0, first: [] };
  const { succeeded, errored } = batch.request_counts;
  const report: ResultsReport = {
    rawBytes: 1_000_000,
    counts: { succeeded, errored, canceled: 0, expired: 0, other: 0 },
    ...{ cutShort: 0, refused: 0, inputTokens: 500_000, outputTokens: 250_000 },
    ...{ missing: none, unexpected: none, duplicate: none },
    damaged: { count: 0, firstLines: [] },
    ...{ countsMatch: true, complete: true },
  };
  const startedAt = batch.created_at ?? '';
  return {
    ...{ id: idOf(row), connection, origin: 'https://service.example', source: sourceOf(row) },
    ...{ fileBytes: 2_500_000, sha256: `${row}`.padStart(64, '0'), requestCount: requests, bodyBytes: 2_400_000 },
    models: [['model-large', requests]],
    ...{ state: 'created', startedAt, batchId: batch.id, batch, isEndSeen: true },
    results: { joinedPath: `/files/requests-${row}.results.jsonl`, fetchedAt: startedAt, report },
    // Every fourth one is a retry of the next older one.
    ...(row % 4 === 0 ? { follows: { runId: idOf(row + 1), purpose: 'retry' } } : {}),
  };
}

/** Writes `rows` submissions below `root`, as on a user's disk. */
export function writeLedger(root: string, rows: number, now: number): void {
  for (let row = 0; row < rows; row++) {
    const folder = folderOf(root, idOf(row));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, submissionFileName), `${JSON.stringify(submissionOf(row, now))}\n`);
  }
}
