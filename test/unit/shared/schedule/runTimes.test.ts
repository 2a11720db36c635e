import assert from 'node:assert/strict';
import { Cron } from 'croner';
import fc from 'fast-check';
import { nextRunTimes } from '../../../../src/shared/schedule/runTimes';
import { ZoneClock } from '../../../../src/shared/schedule/zoneTime';
import { runs } from '../../../helpers/runs';
import { cronExpressions } from './cronExpressions';

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const;
const hour = 60 * 60 * 1000;

/** Returns run times, with notes about clock changes. */
function runsAfter(expression: string, zone: string, after: string, count = 5): string[] {
  return nextRunTimes(expression, zone, Date.parse(after), count).map(({ at, wallTime, clockChange }) => {
    const shown = new Date(wallTime).toISOString().slice(11, 16);
    return `${new Date(at).toISOString().slice(0, 16)} ${shown}${clockChange === undefined ? '' : ` ${clockChange}`}`;
  });
}

describe('shared/schedule/runTimes', () => {
  it("skips an hour that doesn't exist, in Berlin", () => {
    assert.deepEqual(runsAfter('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3), [
      '2026-03-28T01:30 02:30',
      '2026-03-29T01:30 02:30 skipped',
      '2026-03-30T00:30 02:30',
      '2026-03-31T00:30 02:30',
    ]);
  });

  it('fires twice in an hour that occurs twice, in Berlin', () => {
    assert.deepEqual(runsAfter('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 3), [
      '2026-10-25T00:30 02:30 first',
      '2026-10-25T01:30 02:30 second',
      '2026-10-26T01:30 02:30',
    ]);
  });

  it('finds the repeated hour from within the first one', () => {
    assert.deepEqual(runsAfter('15,45 * * * *', 'Europe/Berlin', '2026-10-25T00:50:00Z', 3), [
      '2026-10-25T01:15 02:15 second',
      '2026-10-25T01:45 02:45 second',
      '2026-10-25T02:15 03:15',
    ]);
  });

  it('does the same in New York, where clocks change at a different hour', () => {
    assert.deepEqual(runsAfter('0 2 * * 0', 'America/New_York', '2026-03-02T00:00:00Z', 1), [
      '2026-03-08T07:00 02:00 skipped',
      '2026-03-15T06:00 02:00',
    ]);
    assert.deepEqual(runsAfter('0 1 * * 0', 'America/New_York', '2026-10-26T12:00:00Z', 2), [
      '2026-11-01T05:00 01:00 first',
      '2026-11-01T06:00 01:00 second',
    ]);
    // Run times that the service computed for this schedule.
    assert.deepEqual(
      nextRunTimes('0 20 * * 5', 'America/New_York', Date.parse('2026-11-21T09:36:44Z'), 5).map(({ at }) => new Date(at).toISOString()),
      ['2026-11-28', '2026-12-05', '2026-12-12', '2026-12-19', '2026-12-26'].map(day => `${day}T01:00:00.000Z`),
    );
  });

  it('does the same on Lord Howe Island, where clocks change by half an hour', () => {
    assert.deepEqual(runsAfter('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T20:00:00Z', 1), [
      '2026-10-03T15:45 02:15 skipped',
      '2026-10-04T15:15 02:15',
    ]);
    assert.deepEqual(runsAfter('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', 2), [
      '2026-04-04T14:45 01:45 first',
      '2026-04-04T15:15 01:45 second',
    ]);
  });

  it('ends when there is no next time', () => {
    assert.deepEqual(runsAfter('0 0 31 2 *', 'UTC', '2026-01-01T00:00:00Z'), []);
  });

  it('finds leap days', () => {
    assert.deepEqual(runsAfter('0 12 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 2), ['2028-02-29T12:00 12:00', '2032-02-29T12:00 12:00']);
  });

  it('equals croner for schedules without a fixed hour, across clock changes', () => {
    const wild = fc
      .tuple(fc.constantFrom('*/7', '*', '10-50/20', '3,33'), fc.constantFrom('*', '*/2'))
      .map(([minute, of]) => `${minute} ${of} * * *`);
    fc.assert(
      fc.property(wild, fc.constantFrom(...zones), fc.integer({ min: 0, max: 365 * 24 * 60 }), (expression, zone, minutes) => {
        const after = Date.parse('2026-01-01T00:00:30Z') + minutes * 60_000;
        const expected = new Cron(expression, { mode: '5-part', timezone: zone, paused: true }).nextRuns(5, new Date(after));
        const own = nextRunTimes(expression, zone, after, 5).filter(({ clockChange }) => clockChange !== 'skipped');
        assert.deepEqual(
          own.map(({ at }) => new Date(at).toISOString()),
          expected.map(time => time.toISOString()),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('equals croner for schedules whose hours no clock change skips or repeats', () => {
    fc.assert(
      fc.property(cronExpressions, fc.constantFrom(...zones), fc.integer({ min: 0, max: 365 }), (expression, zone, days) => {
        const after = Date.parse('2026-01-01T00:00:30Z') + days * 24 * hour;
        const own = nextRunTimes(expression, zone, after, 3);
        if (own.some(({ clockChange }) => clockChange !== undefined)) {
          return;
        }
        const expected = new Cron(expression, { mode: '5-part', timezone: zone, paused: true }).nextRuns(3, new Date(after));
        assert.deepEqual(
          own.map(({ at }) => new Date(at).toISOString()),
          expected.map(time => time.toISOString()),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('follows the service’s rule around every clock change of a year: each matching wall time fires as often as it occurs', () => {
    for (const zone of zones) {
      const clock = new ZoneClock(zone);
      for (const change of changesOf(zone, 2026)) {
        const from = change - 5 * hour;
        const to = change + 5 * hour;
        // Checks every minute, which needs no time zone arithmetic.
        const shown: number[] = [];
        for (let at = from + 60_000; at <= to; at += 60_000) {
          const minute = new Date(clock.wallTimeAt(at)).getUTCMinutes();
          if (minute % 15 === 0) {
            shown.push(at);
          }
        }
        const own = nextRunTimes('*/15 * * * *', zone, from, shown.length).filter(({ clockChange }) => clockChange !== 'skipped');
        assert.deepEqual(
          own.map(({ at }) => at),
          shown,
          zone,
        );
        assert.ok(nextRunTimes('*/15 * * * *', zone, from, shown.length).some(({ clockChange }) => clockChange !== undefined));
      }
    }
  });
});

/** Returns the hours of a year in which the clocks of a zone change. */
function changesOf(zone: string, year: number): readonly number[] {
  const clock = new ZoneClock(zone);
  const found: number[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += hour) {
    if (clock.wallTimeAt(at + hour) - clock.wallTimeAt(at) !== hour) {
      found.push(at);
    }
  }
  assert.equal(found.length, 2);
  return found;
}
