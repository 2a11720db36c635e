import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeCron, describeCronProblem } from '../../../../../src/features/resources/kinds/deploymentWords';
import { parseCron } from '../../../../../src/shared/schedule/cronExpression';
import { runs } from '../../../../helpers/runs';
import { cronExpressions } from '../../../shared/schedule/cronExpressions';
import { context } from '../presenting';

function words(expression: string, locale = 'en'): string {
  const parsed = parseCron(expression);
  assert.ok('fields' in parsed, expression);
  // Newer locale data has a narrow space before AM.
  return describeCron(parsed.fields, { ...context, locale }).replaceAll('\u202f', ' ');
}

describe('features/resources/kinds/cronWords', () => {
  for (const [expression, expected] of [
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['*/7 * * * *', 'Every 7 minutes'],
    ['0 * * * *', 'Every hour'],
    ['5 * * * *', 'At minute 5 of every hour'],
    ['0,30 * * * *', 'At minute 0 and 30'],
    ['30 2 * * *', 'At 2:30 AM, every day'],
    ['0 9,17 * * *', 'At 9:00 AM and 5:00 PM, every day'],
    ['0 20 * * 5', 'At 8:00 PM, on Friday'],
    ['0 9 * * 1-5', 'At 9:00 AM, from Monday to Friday'],
    ['0 9 * * 0,6', 'At 9:00 AM, on Sunday and Saturday'],
    ['0 9 * * 7', 'At 9:00 AM, on Sunday'],
    ['0 9 * * 0-6', 'At 9:00 AM, every day'],
    ['0 0 1 * *', 'At 12:00 AM, on day 1 of the month'],
    ['0 0 1 1 *', 'At 12:00 AM, on day 1 of the month, in January'],
    ['0 12 * 6-8 *', 'At 12:00 PM, from June to August'],
    ['0 0 13 * 5', 'At 12:00 AM, on day 13 of the month and also on Friday'],
    ['0 0 */2 * *', 'At 12:00 AM, every 2 days'],
    ['*/10 9-17 * * *', 'Every 10 minutes, in the hours of 9:00 AM to 5:00 PM'],
    ['0 */2 * * *', 'Every hour, every 2 hours'],
    ['20 */5 * * *', 'At 12:20 AM, 5:20 AM, 10:20 AM, 3:20 PM, and 8:20 PM, every day'],
  ]) {
    it(`describes ${expression} in words`, () => {
      assert.equal(words(expression ?? ''), expected);
    });
  }

  it('formats times for the locale', () => {
    assert.equal(words('30 14 * * 1', 'de'), 'At 14:30, on Montag');
  });

  it('describes every schedule in complete, short words', () => {
    fc.assert(
      fc.property(cronExpressions, expression => {
        const told = words(expression);
        assert.ok(told.length > 0 && !/undefined|NaN|\{\d\}/.test(told), `${expression}: ${told}`);
      }),
      { numRuns: runs(1000) },
    );
  });

  for (const [expression, expected] of [
    ['nope', 'A schedule has five fields: minute, hour, day of the month, month and day of the week.'],
    ['0 0 L * *', '"L" isn\'t valid. Use a number, a list, a range, *, or a step such as */5.'],
    ['60 0 * * *', 'Use 0 to 59 instead of "60".'],
    ['0 17-9 * * *', '"17-9" isn\'t valid. Put the lower number first.'],
  ] as const) {
    it(`explains what is wrong with ${expression}`, () => {
      const parsed = parseCron(expression);
      assert.ok('problem' in parsed);
      assert.equal(describeCronProblem(parsed, context.translate), expected);
    });
  }
});
