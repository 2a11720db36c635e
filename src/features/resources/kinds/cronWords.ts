import { join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { dateTimeFormat, listFormat } from '../../../shared/formats';
import type { CronFields, CronProblem } from '../../../shared/schedule/cronExpression';
import { toLabel } from '../../../shared/text';

type Words = Pick<PresentationContext, 'translate' | 'locale'>;

/** Maximum number of times of day that are listed individually. */
const maxTimes = 6;

/** Describes a schedule in the user's language: `At 9:00 AM, from Monday to Friday`. */
export function describeCron(fields: CronFields, { translate, locale }: Words): string {
  const { minute, hour, dayOfMonth, dayOfWeek, month } = fields;
  const list = (texts: readonly string[]) => listFormat(locale, { type: 'conjunction' }).format(texts);
  const isRun = (values: readonly number[]) => values.length > 2 && values.every((value, at) => value === (values[0] ?? 0) + at);
  const ends = (values: readonly number[], name: (value: number) => string) => [name(values[0] ?? 0), name(values.at(-1) ?? 0)] as const;
  const rangeOrList = (values: readonly number[], name: (value: number) => string) =>
    isRun(values) ? translate('{0} to {1}', ...ends(values, name)) : list(values.map(name));
  const inUtc = (options: Intl.DateTimeFormatOptions, time: number) => dateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(time);
  const timeOfDay = (hours: number, minutes = 0) => inUtc({ hour: 'numeric', minute: '2-digit' }, Date.UTC(2026, 0, 1, hours, minutes));
  // 4 January 2026 is a Sunday.
  const weekday = (day: number) => inUtc({ weekday: 'long' }, Date.UTC(2026, 0, 4 + day));
  const monthName = (value: number) => inUtc({ month: 'long' }, Date.UTC(2026, value - 1, 1));

  const minutes = () => {
    const [first = 0, ...others] = minute.values;
    if (minute.isAny || minute.step === 1) {
      return translate('Every minute');
    }
    if (others.length > 0) {
      return minute.step === undefined
        ? translate('At minute {0}', rangeOrList(minute.values, String))
        : translate('Every {0} minutes', minute.step);
    }
    if (first === 0) {
      return translate('Every hour');
    }
    return hour.isAny ? translate('At minute {0} of every hour', first) : translate('At minute {0}', first);
  };
  const hours = () => {
    const isStepped = hour.step !== undefined && hour.values.length > 1;
    return isStepped ? translate('every {0} hours', hour.step ?? 1) : translate('in the hours of {0}', rangeOrList(hour.values, timeOfDay));
  };
  const isTimed = minute.values.length * hour.values.length <= maxTimes;
  const times = isTimed
    ? translate('At {0}', list(hour.values.flatMap(hours => minute.values.map(minutes => timeOfDay(hours, minutes)))))
    : join(', ', minutes(), hour.isAny ? '' : hours());

  const ofMonth =
    dayOfMonth.step !== undefined && dayOfMonth.values.length > 1
      ? translate('every {0} days', dayOfMonth.step)
      : translate('on day {0} of the month', rangeOrList(dayOfMonth.values, String));
  const ofWeek =
    dayOfWeek.values.length === 7
      ? translate('every day')
      : isRun(dayOfWeek.values)
        ? translate('from {0} to {1}', ...ends(dayOfWeek.values, weekday))
        : translate('on {0}', list(dayOfWeek.values.map(weekday)));
  // If both are restricted, a day that matches either counts.
  const days = dayOfMonth.isAny
    ? dayOfWeek.isAny
      ? isTimed && month.isAny
        ? translate('every day')
        : ''
      : ofWeek
    : dayOfWeek.isAny
      ? ofMonth
      : translate('{0} and also {1}', ofMonth, ofWeek);
  const months = isRun(month.values)
    ? translate('from {0} to {1}', ...ends(month.values, monthName))
    : translate('in {0}', list(month.values.map(monthName)));
  return join(', ', times, days, month.isAny ? '' : months);
}

/** Explains in a sentence why a cron expression is invalid. */
export function describeCronProblem(problem: CronProblem, translate: Translate): string {
  const part = 'part' in problem ? toLabel(problem.part, 40) : '';
  switch (problem.problem) {
    case 'count':
      return translate('A schedule has five fields: minute, hour, day of the month, month and day of the week.');
    case 'syntax':
      return translate('"{0}" isn\'t valid. Use a number, a list, a range, *, or a step such as */5.', part);
    case 'range':
      return translate('Use {1} to {2} instead of "{0}".', part, problem.least, problem.most);
    case 'order':
      return translate('"{0}" isn\'t valid. Put the lower number first.', part);
  }
}
