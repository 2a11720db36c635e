import assert from 'node:assert/strict';
import { Cron } from 'croner';
import fc from 'fast-check';
import { cronFieldNames, parseCron } from '../../../../src/shared/schedule/cronExpression';
import { runs } from '../../../helpers/runs';
import { cronExpressions } from './cronExpressions';

function fieldsOf(expression: string) {
  const parsed = parseCron(expression);
  assert.ok('fields' in parsed, expression);
  return parsed.fields;
}

describe('shared/schedule/cronExpression', () => {
  it('reads numbers, lists, ranges, steps and names', () => {
    const { minute, hour, dayOfMonth, month, dayOfWeek } = fieldsOf('  */20 9-17/4 1,15\tjan,JUL mon-Fri ');
    assert.deepEqual(minute, { values: [0, 20, 40], isAny: false, step: 20 });
    assert.deepEqual(hour, { values: [9, 13, 17], isAny: false });
    assert.deepEqual(dayOfMonth.values, [1, 15]);
    assert.deepEqual(month.values, [1, 7]);
    assert.deepEqual(dayOfWeek.values, [1, 2, 3, 4, 5]);
    assert.equal(fieldsOf('0 0 * * *').month.isAny, true);
    assert.deepEqual(fieldsOf('0 0 * * 5-7').dayOfWeek.values, [0, 5, 6]);
  });

  for (const [expression, problem] of [
    ['nope', { problem: 'count', found: 1, start: 0, end: 4 }],
    ['', { problem: 'count', found: 0, start: 0, end: 0 }],
    ['0 0 0 * * *', { problem: 'count', found: 6, start: 0, end: 11 }],
    ['@daily', { problem: 'count', found: 1, start: 0, end: 6 }],
    ['60 0 * * *', { problem: 'range', field: 'minute', part: '60', least: 0, most: 59, start: 0, end: 2 }],
    ['0 24 * * *', { problem: 'range', field: 'hour', part: '24', least: 0, most: 23, start: 2, end: 4 }],
    ['0 0 0 * *', { problem: 'range', field: 'dayOfMonth', part: '0', least: 1, most: 31, start: 4, end: 5 }],
    ['0 0 * * 1,8', { problem: 'range', field: 'dayOfWeek', part: '8', least: 0, most: 7, start: 10, end: 11 }],
    ['*/0 0 * * *', { problem: 'range', field: 'minute', part: '*/0', least: 0, most: 59, start: 0, end: 3 }],
    ['0 17-9 * * *', { problem: 'order', field: 'hour', part: '17-9', start: 2, end: 6 }],
    ['0 0 * FEB-JAN *', { problem: 'order', field: 'month', part: 'FEB-JAN', start: 6, end: 13 }],
    ['5/10 0 * * *', { problem: 'syntax', field: 'minute', part: '5/10', start: 0, end: 4 }],
    ['1,, 0 * * *', { problem: 'syntax', field: 'minute', part: '', start: 2, end: 3 }],
    ['0 0 L * *', { problem: 'syntax', field: 'dayOfMonth', part: 'L', start: 4, end: 5 }],
    ['0 0 ? * *', { problem: 'syntax', field: 'dayOfMonth', part: '?', start: 4, end: 5 }],
    ['0 0 * * FRI#2', { problem: 'syntax', field: 'dayOfWeek', part: 'FRI#2', start: 8, end: 13 }],
    ['-1 0 * * *', { problem: 'syntax', field: 'minute', part: '-1', start: 0, end: 2 }],
  ] as const) {
    it(`reports the error in "${expression}" and its position`, () => {
      assert.deepEqual(parseCron(expression), problem);
    });
  }

  it('accepts nothing that croner rejects, and means the same', () => {
    fc.assert(
      fc.property(cronExpressions, expression => {
        const fields = fieldsOf(expression);
        const next = new Cron(expression, { mode: '5-part', timezone: 'UTC', paused: true }).nextRun(new Date('2026-05-05T05:05:05Z'));
        if (next === null) {
          return;
        }
        assert.ok(fields.minute.values.includes(next.getUTCMinutes()));
        assert.ok(fields.hour.values.includes(next.getUTCHours()));
        assert.ok(fields.month.values.includes(next.getUTCMonth() + 1));
        const isDay = fields.dayOfMonth.values.includes(next.getUTCDate());
        const isWeekday = fields.dayOfWeek.values.includes(next.getUTCDay());
        assert.ok(fields.dayOfMonth.isAny || fields.dayOfWeek.isAny ? isDay && isWeekday : isDay || isWeekday);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('parses any text quickly', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.constantFrom('*', '/', '-', ',', '1', '99999', 'MON', ' ')), (text, parts) => {
        for (const expression of [text, parts.join('')]) {
          const parsed = parseCron(expression);
          assert.ok(
            'fields' in parsed ? cronFieldNames.every(name => parsed.fields[name].values.length > 0) : parsed.end <= expression.length + 1,
          );
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
