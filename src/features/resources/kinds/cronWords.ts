import type { PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { dateTimeFormat, listFormat } from '../../../shared/formats';
import type { CronField, CronFields, CronProblem } from '../../../shared/schedule/cronExpression';
import { toLabel } from '../../../shared/text';

type Words = Pick<PresentationContext, 'translate' | 'locale'>;

/** Maximum number of times of day that are listed individually. */
const maxTimes = 6;

/** Describes a schedule in the user's language: `At 9:00 AM, from Monday to Friday`. */
export function describeCron(fields: CronFields, words: Words): string {
  const times = describeTimes(fields, words);
  const days = describeDays(fields, words);
  const months = fields.month.isAny ? '' : describeMonths(fields.month.values, words);
  return [times, days, months].filter(part => part !== '').join(', ');
}

/** Returns a sentence that says why a cron expression is invalid. */
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

function describeTimes({ minute, hour }: CronFields, words: Words): string {
  const { translate } = words;
  const [onlyMinute] = minute.values;
  if (minute.values.length * hour.values.length <= maxTimes && onlyMinute !== undefined) {
    const times = hour.values.flatMap(hours => minute.values.map(minutes => timeOfDay(hours, minutes, words)));
    return translate('At {0}', list(times, words));
  }
  const hours = hour.isAny ? '' : describeHours(hour, words);
  return [describeMinutes(minute, hour.isAny, words), hours].filter(part => part !== '').join(', ');
}

function describeMinutes(minute: CronField, everyHour: boolean, words: Words): string {
  const { translate } = words;
  const [first = 0, ...others] = minute.values;
  if (minute.isAny || minute.step === 1) {
    return translate('Every minute');
  }
  if (minute.step !== undefined && others.length > 0) {
    return translate('Every {0} minutes', minute.step);
  }
  if (others.length > 0) {
    return translate('At minute {0}', rangeOrList(minute.values, String, words));
  }
  if (first === 0) {
    return translate('Every hour');
  }
  return everyHour ? translate('At minute {0} of every hour', first) : translate('At minute {0}', first);
}

function describeHours({ values, step }: CronField, words: Words): string {
  const { translate } = words;
  if (step !== undefined && values.length > 1) {
    return translate('every {0} hours', step);
  }
  return translate(
    'in the hours of {0}',
    rangeOrList(values, hours => timeOfDay(hours, 0, words), words),
  );
}

/** Describes the days of the month and of the week. If both are restricted, a day that matches either counts. */
function describeDays({ dayOfMonth, dayOfWeek, minute, hour, month }: CronFields, words: Words): string {
  const { translate } = words;
  const ofMonth =
    dayOfMonth.step !== undefined && dayOfMonth.values.length > 1
      ? translate('every {0} days', dayOfMonth.step)
      : translate('on day {0} of the month', rangeOrList(dayOfMonth.values, String, words));

  const ofWeek =
    isRun(dayOfWeek.values) && dayOfWeek.values.length > 2
      ? translate('from {0} to {1}', weekday(dayOfWeek.values[0] ?? 0, words), weekday(dayOfWeek.values.at(-1) ?? 0, words))
      : translate(
          'on {0}',
          list(
            dayOfWeek.values.map(day => weekday(day, words)),
            words,
          ),
        );
  if (!dayOfMonth.isAny && !dayOfWeek.isAny) {
    return translate('{0} and also {1}', ofMonth, ofWeek);
  }
  if (!dayOfMonth.isAny) {
    return ofMonth;
  }
  if (!dayOfWeek.isAny) {
    return dayOfWeek.values.length === 7 ? translate('every day') : ofWeek;
  }
  const isOnceOrSo = minute.values.length * hour.values.length <= maxTimes;
  return isOnceOrSo && month.isAny ? translate('every day') : '';
}

function describeMonths(months: readonly number[], words: Words): string {
  const format = dateTimeFormat(words.locale, { month: 'long', timeZone: 'UTC' });
  const names = months.map(month => format.format(Date.UTC(2026, month - 1, 1)));
  return isRun(months) && months.length > 2
    ? words.translate('from {0} to {1}', names[0] ?? '', names.at(-1) ?? '')
    : words.translate('in {0}', list(names, words));
}

function weekday(day: number, { locale }: Words): string {
  // 4 January 2026 is a Sunday.
  return dateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
}

function timeOfDay(hours: number, minutes: number, { locale }: Words): string {
  const format = dateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return format.format(Date.UTC(2026, 0, 1, hours, minutes));
}

function rangeOrList(values: readonly number[], name: (value: number) => string, words: Words): string {
  return isRun(values) && values.length > 2
    ? words.translate('{0} to {1}', name(values[0] ?? 0), name(values.at(-1) ?? 0))
    : list(values.map(name), words);
}

function isRun(values: readonly number[]): boolean {
  return values.every((value, index) => value === (values[0] ?? 0) + index);
}

function list(texts: readonly string[], { locale }: Words): string {
  return listFormat(locale, { type: 'conjunction' }).format(texts);
}
