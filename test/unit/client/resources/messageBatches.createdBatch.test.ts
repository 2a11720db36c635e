import assert from 'node:assert/strict';
import { type CreatedBatchFacts, whyNotCreated } from '../../../../src/client/resources/messageBatches';

describe('client/resources/messageBatches', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const created = Date.parse('2026-11-21T09:36:25Z');
  const at = (ms: number) => new Date(created + ms).toUTCString();
  const counts = { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const batch = {
    id: 'msgbatch_1',
    type: 'message_batch',
    processing_status: 'in_progress',
    request_counts: counts,
    created_at: '2026-11-21T09:36:25Z',
    later: { field: 1 },
  };
  const facts: CreatedBatchFacts = { requestCount: 3, date: at(0), age: undefined, elapsed: 0, now: created };

  const believed: readonly (readonly [string, object, Partial<CreatedBatchFacts>?])[] = [
    ['the new batch', batch],
    ['one whose requests are not counted', { ...batch, request_counts: undefined }],
    ['one whose counts nobody compares', batch, { requestCount: undefined }],
    ['one with counts that the contract does not have', { ...batch, request_counts: { ...counts, total: 3 } }],
    ['one that is created when its upload begins', batch, { date: at(5 * hour), elapsed: 5 * hour }],
    ['one of a service whose machines differ by minutes', batch, { date: at(-9 * minute) }],
    ['one whatever the clock of this machine says', batch, { now: 0 }],
    ['one without a date, by a clock of another time zone', batch, { date: undefined, now: created + 14 * hour }],
    ['one whose age is nonsense', batch, { age: 'old' }],
  ];
  for (const [name, answer, change] of believed) {
    it(`accepts ${name}`, () => {
      assert.equal(whyNotCreated(answer, { ...facts, ...change }), undefined);
    });
  }

  const others: readonly (readonly [string, unknown, RegExp, Partial<CreatedBatchFacts>?])[] = [
    ['another type', { ...batch, type: 'session' }, /type is "session"/],
    ['no type', { ...batch, type: undefined }, /type is missing/],
    ['an ended batch', { ...batch, processing_status: 'ended' }, /processing_status is "ended"/],
    ['a batch that is being canceled', { ...batch, processing_status: 'canceling' }, /processing_status/],
    ['no status', { ...batch, processing_status: undefined }, /processing_status is missing/],
    ['no id', { ...batch, id: undefined }, /missing can't be the id/],
    ['the id ""', { ...batch, id: '' }, /"" can't be the id/],
    ['the id "."', { ...batch, id: '.' }, /"\." can't be the id/],
    ['the id ".."', { ...batch, id: '..' }, /"\.\." can't be the id/],
    ['an id that is no text', { ...batch, id: 7 }, /"7" can't be the id/],
    ['fewer requests', { ...batch, request_counts: { ...counts, processing: 2 } }, /2 requests, not 3/],
    ['more requests', { ...batch, request_counts: { ...counts, succeeded: 1 } }, /4 requests, not 3/],
    ['no requests', { ...batch, request_counts: { processing: 0 } }, /0 requests, not 3/],
    ['an older batch', batch, /not created now.*2026-11-21T09:36:25Z/, { date: at(11 * minute) }],
    ['an older batch out of a cache that says so', batch, /not created now/, { date: at(0), age: '660' }],
    ['a batch of the future', batch, /not created now/, { date: at(-11 * minute) }],
    ['an older batch, without a date', batch, /not created now/, { date: undefined, now: created + 26 * hour }],
    ['no time', { ...batch, created_at: null }, /created_at is "null"/],
    ['a time that is none', { ...batch, created_at: 'now' }, /created_at is "now"/],
    ['no object', [batch], /type is missing/],
    ['null', null, /type is missing/],
  ];
  for (const [name, answer, words, change] of others) {
    it(`rejects ${name}`, () => {
      assert.match(whyNotCreated(answer, { ...facts, ...change }) ?? 'believed', words);
    });
  }
});
