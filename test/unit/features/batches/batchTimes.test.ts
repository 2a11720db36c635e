import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../src/client/schemas/messageBatches';
import { describeTimes } from '../../../../src/features/batches/batchTimes';

const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
  locale: 'en',
  now: Date.parse('2026-11-21T12:00:00Z'),
};
const created_at = '2026-11-21T11:57:00Z';
const timesOf = (change: Partial<MessageBatch>) => describeTimes({ created_at, ...change } as MessageBatch, undefined, context);

describe('features/batches/batchTimes', () => {
  it('tells for how long a batch runs and when it expires', () => {
    assert.equal(timesOf({ expires_at: '2026-11-22T11:57:00Z' }), 'for 3 min · expires in 23 hr');
  });

  it('says that a batch should have expired when it long ought to have, and not again and again that it is about to', () => {
    assert.match(timesOf({ expires_at: '2026-11-21T11:59:00Z' }), /about to expire$/);
    assert.match(timesOf({ expires_at: '2026-11-21T09:57:00Z' }), /for 3 min · should have expired 2 hr ago$/);
  });

  it('tells since when a batch is being canceled', () => {
    assert.equal(timesOf({ cancel_initiated_at: '2026-11-21T11:59:00Z' }), 'for 3 min · asked to cancel 1 min. ago');
  });
});
