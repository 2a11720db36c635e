import type { MessageBatch } from '../../../../src/client/schemas/messageBatches';
import type { PresentationContext } from '../../../../src/common/text/presentation';
import type { RequestCounts } from '../../../../src/contract/requestCounts';
import type { Submission } from '../../../../src/features/ledger/submission';

export const now = Date.parse('2026-11-21T12:00:00Z');
export const context: PresentationContext = {
  translate: (message, ...args) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en',
  now,
};

export function batch(status: string, counts: Partial<RequestCounts>, change: Partial<MessageBatch> = {}): MessageBatch {
  return {
    id: 'msgbatch_1',
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0, ...counts },
    created_at: '2026-11-21T11:57:00Z',
    expires_at: '2026-11-22T11:57:00Z',
    ...change,
  };
}

/** Members of a results report without any problem, except for the counts. */
export const noTrouble = {
  ...{ cutShort: 0, refused: 0, missing: { count: 0 }, unexpected: { count: 0 }, duplicate: { count: 0 }, damaged: { count: 0 } },
  countsMatch: true,
};

export const submission: Submission = {
  id: 's1',
  connection: 'A',
  origin: 'http://h',
  source: 'file:///data/my%20questions.jsonl',
  fileBytes: 1234,
  sha256: 'ab',
  requestCount: 12,
  bodyBytes: 1,
  state: 'created',
  startedAt: '2026-11-21T11:57:00Z',
};
