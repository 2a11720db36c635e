import type { RequestCounts } from '../../contract/requestCounts';
import { type BatchRecord, lifetime } from './batchState';

/** Batch in the form of the wire. All fields are always present (contract, Message batch). */
export interface WireBatch {
  readonly id: string;
  readonly type: 'message_batch';
  readonly processing_status: 'in_progress' | 'canceling' | 'ended';
  readonly request_counts: RequestCounts;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly cancel_initiated_at: string | null;
  readonly archived_at: string | null;
  readonly results_url: string | null;
}

/** Converts a batch to its response form. */
export function toMessageBatch(record: BatchRecord, resultsUrl: (id: string) => string): WireBatch {
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const timeOrNull = (milliseconds: number | null) => (milliseconds === null ? null : time(milliseconds));
  const ended = record.endedAt !== null;
  return {
    id: record.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : record.cancelInitiatedAt === null ? 'in_progress' : 'canceling',
    request_counts: record.counts,
    created_at: time(record.createdAt),
    expires_at: time(record.createdAt + lifetime),
    ended_at: timeOrNull(record.endedAt),
    cancel_initiated_at: timeOrNull(record.cancelInitiatedAt),
    archived_at: timeOrNull(record.archivedAt),
    results_url: ended && record.archivedAt === null ? resultsUrl(record.id) : null,
  };
}
