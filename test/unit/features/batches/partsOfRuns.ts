import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import type { Submission } from '../../../../src/features/ledger/submission';
import { recordOf } from '../ledger/ledgerOfTest';
import { batch as batchOf } from './batchUnderTest';

export const batch = (status: string, counts: Partial<MessageBatch['request_counts']>, change: Partial<MessageBatch> = {}) =>
  batchOf(status, counts, { created_at: '2026-11-21T11:50:00Z', expires_at: '2026-11-22T11:50:00Z', ...change });

export const submission = (id: string, change: Partial<Submission> = {}) =>
  recordOf({ id, source: `file:///data/${id}.jsonl`, batchId: `b-${id}`, state: 'created', startedAt: '2026-11-21T11:50:00Z', ...change });

export const part = (index: number, change: Partial<Submission> = {}) =>
  submission(`p${index}`, { source: 'file:///data/big.jsonl', group: { id: 'g', index, count: 3 }, ...change });
export const running = batch('in_progress', { processing: 2 });
export const ended = batch('ended', { succeeded: 2, errored: 1 });
