import type { MessageBatch } from '../../../../src/client/resources/messageBatches';
import type { PresentationContext } from '../../../../src/common/text/presentation';
import type { RequestCounts } from '../../../../src/contract/requestCounts';
import { recordOf } from '../ledger/ledgerOfTest';
import { english } from '../requests/fillPlaceholders';

export const now = Date.parse('2026-11-21T12:00:00Z');
export const context: PresentationContext = { ...english, now };

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

export const submission = recordOf({
  ...{ id: 's1', connection: 'A', origin: 'http://h', source: 'file:///data/my%20questions.jsonl' },
  ...{ requestCount: 12, state: 'created', startedAt: '2026-11-21T11:57:00Z' },
});
