import assert from 'node:assert/strict';
import {
  ageStays,
  describeAge,
  describeDuration,
  describeRequests,
  describeSince,
  describeTime,
  nameOrId,
  type PresentationContext,
  shortId,
} from '../../../../src/common/text/presentation';
import { fillPlaceholders } from '../../features/requests/fillPlaceholders';

const context: PresentationContext = { translate: message => message, locale: 'en', now: Date.parse('2026-11-21T12:00:00Z') };

describe('common/text/presentation', () => {
  it('returns the name of an item, or its ID if the name shows nothing', () => {
    assert.equal(nameOrId('Keys', 'vlt_1'), 'Keys');
    assert.deepEqual(
      ['', '   ', '\u00a0', null, undefined].map(name => nameOrId(name, 'vlt_1')),
      Array.from({ length: 5 }, () => 'vlt_1'),
    );
    assert.equal(nameOrId('n'.repeat(100), 'vlt_1', 20).length, 20);
  });

  it('counts requests', () => {
    assert.equal(describeRequests(1, context), '1 request');
    assert.equal(describeRequests(1234, { translate: fillPlaceholders, locale: 'en' }), '1,234 requests');
  });

  it('shows ages in words and nothing for an invalid time', () => {
    assert.equal(describeAge('2026-11-19T11:00:00Z', context), '2 days ago');
    assert.equal(describeAge('2026-11-19T13:00:00Z', context), '1 day ago');
    assert.equal(describeAge('2026-11-23T00:00:00Z', context), 'in 36 hr.');
    assert.equal(describeAge('2026-11-21T13:30:00Z', context), 'in 90 min.');
    assert.equal(describeAge('2026-11-24T11:00:00Z', context), 'in 2 days');
    assert.equal(describeAge('2026-11-21T11:59:57Z', context), 'now');
    assert.equal(describeAge('soon', context), '');
    assert.equal(describeAge(undefined, context), '');
  });

  it('counts ages of less than a minute in seconds, and durations too', () => {
    assert.equal(describeAge('2026-11-21T11:59:30Z', context), '30 sec. ago');
    assert.equal(describeAge('2026-11-21T12:00:59Z', context), 'in 59 sec.');
    assert.deepEqual(
      [4_999, 59_999, 60_000, 5_400_000].map(milliseconds => describeDuration(milliseconds, 'en')),
      ['4 sec', '59 sec', '1 min', '1 hr'],
    );
  });

  it('says "just now" when the service\'s clock is ahead', () => {
    assert.equal(describeSince('2026-11-21T13:00:00Z', context), 'now');
    assert.equal(describeSince('2026-11-21T11:00:00Z', context), '1 hr. ago');
  });

  it('returns nothing for an invalid time', () => {
    assert.equal(describeTime(null, context), '-');
    assert.match(describeTime('2026-11-21T12:00:00Z', context), /2026/);
  });

  it('keeps both ends of a long ID and shows invisible characters', () => {
    assert.equal(shortId('sesn_1'), 'sesn_1');
    assert.equal(shortId('sesn_0123456789abcdefghij'), 'sesn_0123456…ghij');
    assert.equal(shortId('a\u202eb'), 'a\\u{202e}b');
  });

  it('returns the same text until it expires, and a different one afterwards', () => {
    const { now } = context;
    const words = (time: number, at: number) =>
      [describeSince(new Date(time).toISOString(), { ...context, now: at }), describeDuration(Math.max(at - time, 0), 'en')].join(', ');
    for (const age of [-5_000, 0, 4_999, 5_000, 12_345, 59_999, 60_000, 3_599_999, 3_600_000, 7_654_321, 86_400_000, 300_000_000]) {
      const stays = ageStays(new Date(now - age).toISOString(), now);
      assert.ok(stays > 0, `${age}`);
      assert.equal(words(now - age, now + stays - 1), words(now - age, now), `${age}`);
      if (age >= 5_000) {
        assert.notEqual(words(now - age, now + stays), words(now - age, now), `${age}`);
      }
    }
    assert.deepEqual([ageStays(undefined, now), ageStays('soon', now)], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
});
