import assert from 'node:assert/strict';
import {
  findBudget,
  findSchedule,
  findScheduleProblems,
  partOfExpression,
  toScheduleHover,
  toScheduleTitle,
} from '../../../../../src/features/resources/deployments/scheduleLanguage';
import { context } from '../presenting';

const at = (time: string) => ({ ...context, now: Date.parse(time) });
const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ').replaceAll('\\', '');
const nightly = { expression: '30 2 * * *', timezone: 'Europe/Berlin' };

describe('features/resources/deployments/schedulePresentation', () => {
  it('describes a schedule in one line, with its next time in both zones', () => {
    assert.equal(
      plain(toScheduleTitle(nightly, 'America/New_York', at('2026-06-01T12:00:00Z'))),
      'At 2:30 AM, every day · next Tue, Jun 2, 2:30 AM (in 12 hr.) · Mon, Jun 1, 8:30 PM local time',
    );
    assert.equal(
      plain(toScheduleTitle(nightly, 'Europe/Paris', at('2026-06-01T12:00:00Z'))),
      'At 2:30 AM, every day · next Tue, Jun 2, 2:30 AM (in 12 hr.)',
    );
    assert.equal(
      plain(toScheduleTitle({ expression: '0 0 31 2 *', timezone: 'UTC' }, 'UTC', at('2026-06-01T12:00:00Z'))),
      'At 12:00 AM, on day 31 of the month, in February · never',
    );
  });

  it('shows the next five times in both zones, and the maximum delay of a session', () => {
    assert.equal(
      plain(toScheduleHover({ expression: '0 * * * *', timezone: 'Europe/Berlin' }, 'UTC', at('2026-06-01T12:10:00Z'))),
      [
        '**Every hour**',
        '',
        '| Europe/Berlin | Local (UTC) |  |',
        '|:--|:--|:--|',
        '| Mon, Jun 1, 3:00 PM | Mon, Jun 1, 1:00 PM |  |',
        '| Mon, Jun 1, 4:00 PM | Mon, Jun 1, 2:00 PM |  |',
        '| Mon, Jun 1, 5:00 PM | Mon, Jun 1, 3:00 PM |  |',
        '| Mon, Jun 1, 6:00 PM | Mon, Jun 1, 4:00 PM |  |',
        '| Mon, Jun 1, 7:00 PM | Mon, Jun 1, 5:00 PM |  |',
        '',
        'Sessions can start up to 9 min late.',
      ].join('\n'),
    );
  });

  it('marks a skipped hour, and both of a repeated one', () => {
    const spring = plain(toScheduleHover(nightly, 'UTC', at('2026-03-28T12:00:00Z')));
    assert.match(spring ?? '', /\| Sun, Mar 29, 2:30 AM \| {2}\| Skipped: clocks go forward \|/);
    const autumn = plain(toScheduleHover(nightly, 'UTC', at('2026-10-24T12:00:00Z'))) ?? '';
    assert.match(autumn, /\| Sun, Oct 25, 2:30 AM \| Sun, Oct 25, 12:30 AM \| Clocks go back \|/);
    assert.match(autumn, /\| Sun, Oct 25, 2:30 AM \| Sun, Oct 25, 1:30 AM \| Clocks go back \|/);
    // The run times of a repeated hour are closer together, which reduces the possible delay of a run.
    assert.match(autumn, /up to 9 min late/);
    assert.match(
      plain(toScheduleHover({ expression: '* * * * *', timezone: 'UTC' }, 'UTC', at('2026-03-28T12:00:00Z'))) ?? '',
      /up to 9 sec late/,
    );
  });

  for (const [what, schedule, expected] of [
    ['nothing of what is right', nightly, []],
    [
      'a field that is wrong, at its place',
      { ...nightly, expression: '30 25 * * *' },
      [{ message: 'Use 0 to 23 instead of "25".', start: 3, end: 5 }],
    ],
    ['a zone that is none', { ...nightly, timezone: '+02:00' }, [{ message: 'Use an IANA time zone, such as Europe/Berlin or UTC.' }]],
    ['a zone in other letters', { ...nightly, timezone: 'europe/berlin' }, [{ message: 'Write Europe/Berlin.' }]],
  ] as const) {
    it(`reports ${what}`, () => {
      assert.deepEqual(findScheduleProblems(schedule, context), expected);
      const isShown = expected.length === 0 || schedule.timezone === 'europe/berlin';
      assert.equal(toScheduleTitle(schedule, 'UTC', context) !== undefined, isShown);
      assert.equal(toScheduleHover(schedule, 'UTC', context) !== undefined, isShown);
    });
  }

  it('reports both errors, and creates no markup from hostile names', () => {
    const problems = findScheduleProblems({ expression: '\u202e', timezone: '<img src=x>' }, context);
    assert.equal(problems.length, 2);
    assert.ok(problems.every(({ message }) => !message.includes('\u202e')));
  });
});

const text = '{\n  "name": "n",\n  "schedule": {"type": "cron", "expression": "0 25 * * *", "timezone": "UTC"}\n}\n';

describe('features/resources/deployments/schedulePresentation writtenSchedules', () => {
  it('finds the schedule and the positions of its parts', () => {
    const found = findSchedule(text);
    assert.ok(found !== undefined);
    assert.deepEqual([found.expression, found.timezone], ['0 25 * * *', 'UTC']);
    assert.equal(text.slice(found.expressionSpan.start, found.expressionSpan.end), '"0 25 * * *"');
    assert.equal(text.slice(found.timezoneSpan?.start, found.timezoneSpan?.end), '"UTC"');
    const part = partOfExpression(found, 2, 4);
    assert.equal(text.slice(part.start, part.end), '25');
  });

  it('keeps positions after a byte order mark, and uses the whole of an expression with escapes', () => {
    const marked = `\uFEFF${text}`;
    const found = findSchedule(marked);
    assert.equal(marked.slice(found?.expressionSpan.start, found?.expressionSpan.end), '"0 25 * * *"');
    const escaped = '{"schedule":{"expression":"0\\u0020* * * *"}}';
    const other = findSchedule(escaped);
    assert.ok(other !== undefined);
    assert.deepEqual([other.expression, other.timezone, other.timezoneSpan], ['0 * * * *', 'UTC', undefined]);
    assert.deepEqual(partOfExpression(other, 0, 1), other.expressionSpan);
    assert.deepEqual(partOfExpression(found ?? other, 3, 3), (found ?? other).expressionSpan);
  });

  for (const [what, other] of [
    ['no JSON', '{'],
    ['another value', '[1]'],
    ['no schedule', '{"schedule": null}'],
    ['a schedule of another shape', '{"schedule": [{"expression": "* * * * *"}]}'],
    ['an expression that is no text', '{"schedule": {"expression": 5}}'],
  ]) {
    it(`finds no schedule in ${what}`, () => {
      assert.equal(findSchedule(other ?? ''), undefined);
    });
  }

  it('finds the budget in whole cents, and its end', () => {
    const written = '\uFEFF{"budget": {"max_list_cost": {"amount": "500", "currency": "EUR"}}}';
    const budget = findBudget(written);
    assert.deepEqual([budget?.cents, budget?.currency], ['500', 'EUR']);
    assert.equal(written.slice(0, budget?.end), '\uFEFF{"budget": {"max_list_cost": {"amount": "500"');
    assert.equal(findBudget('{"budget": {"max_list_cost": {"amount": "5"}}}')?.currency, 'USD');
    for (const none of [
      '{',
      '{"budget": null}',
      '{"budget": {"max_list_cost": {"amount": 5}}}',
      '{"budget": {"max_list_cost": {"amount": "5.5"}}}',
    ]) {
      assert.equal(findBudget(none), undefined, none);
    }
  });
});
