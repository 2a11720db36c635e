import type { Deployment } from '../../../client/resources/deployments';
import { describeAge, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { dateTimeFormat, listFormat, numberFormat } from '../../../shared/formats';
import { ownValue } from '../../../shared/isRecord';
import { type CronFields, type CronProblem, parseCron } from '../../../shared/schedule/cronExpression';
import { join, toLabel } from '../../../shared/text';

/** State of a deployment. `pausedByError`: the service paused it. `other`: a state that the extension does not know. */
export type DeploymentState = 'active' | 'pausedByYou' | 'pausedByError' | 'archived' | 'other';

/** Returns the state. An archived deployment is `archived`, whatever its `status` says. */
export function stateOf({ status, paused_reason: reason, archived_at: archived }: Deployment): DeploymentState {
  if (typeof archived === 'string') {
    return 'archived';
  }
  if (status === 'paused') {
    return reason?.type === 'error' ? 'pausedByError' : 'pausedByYou';
  }
  return status === 'active' || !status ? 'active' : 'other';
}

/** Describes the state, with the reason if the service paused the deployment. */
export function describeState(deployment: Deployment, translate: Translate): string {
  switch (stateOf(deployment)) {
    case 'active':
      return translate('active');
    case 'pausedByYou':
      return deployment.paused_reason?.type === 'manual' || !deployment.paused_reason?.type
        ? translate('paused')
        : translate('paused: {0}', toLabel(deployment.paused_reason.type, 40));
    case 'pausedByError':
      // Short, because rows are truncated and their icon already signals an error.
      return translate('paused: {0}', describeRunError(deployment.paused_reason?.error, translate));
    case 'archived':
      return translate('archived');
    case 'other':
      return toLabel(deployment.status ?? '', 40);
  }
}

/** Describes a schedule, or returns it verbatim if it can't be described. Without a schedule, says that sessions are started by hand. */
export function describeClock({ schedule }: Deployment, context: PresentationContext): string {
  const { translate } = context;
  if (!schedule) {
    return translate('manually');
  }
  const parsed = parseCron(schedule.expression ?? '');
  const words = 'fields' in parsed ? describeCron(parsed.fields, context) : toLabel(schedule.expression ?? '', 60);
  return join(' · ', words, toLabel(schedule.timezone ?? '', 40));
}

/** Describes the time of the next scheduled session. Returns '' if the schedule is paused or absent. */
export function describeNext(deployment: Deployment, context: PresentationContext): string {
  const upcoming = (deployment.schedule?.upcoming_runs_at ?? []).map(time => Date.parse(time)).filter(time => time > context.now);
  return stateOf(deployment) !== 'active' || upcoming.length === 0
    ? ''
    : context.translate('next {0}', describeAge(new Date(Math.min(...upcoming)).toISOString(), context));
}

/** Describes briefly why no session could be created. Returns the service's own words for an unknown error. */
export function describeRunError(
  error: { readonly type?: string | null | undefined; readonly message?: string | null | undefined } | null | undefined,
  translate: Translate,
): string {
  return (
    ownValue(runErrorWords(translate), error?.type ?? '') ??
    (toLabel(error?.message ?? '', 200) || toLabel(error?.type ?? '', 60) || translate('unknown error'))
  );
}

function runErrorWords(translate: Translate): Readonly<Record<string, string>> {
  return {
    environment_archived_error: translate('{0} archived', translate('Environment')),
    environment_not_found_error: translate('{0} not found', translate('Environment')),
    agent_archived_error: translate('{0} archived', translate('Agent')),
    vault_not_found_error: translate('{0} not found', translate('Vault')),
    vault_archived_error: translate('{0} archived', translate('Vault')),
    file_not_found_error: translate('{0} not found', translate('File')),
    memory_store_archived_error: translate('{0} archived', translate('memory store')),
    skill_not_found_error: translate('{0} not found', translate('Skill')),
    session_resource_not_found_error: translate('{0} not found', translate('Resource')),
    workspace_archived_error: translate('{0} archived', translate('Workspace')),
    organization_disabled_error: translate('the organization is disabled'),
    self_hosted_resources_unsupported_error: translate("its resources can't be used in a self-hosted environment"),
    mcp_egress_blocked_error: translate('the network of the environment blocks an MCP server'),
    session_rate_limited_error: translate('too many sessions at that time'),
  };
}

/** Formats whole cents as money. Returns the number unchanged if the currency is unknown. */
export function describeMoney(cents: string, currency: string, locale: string): string {
  try {
    return numberFormat(locale, { style: 'currency', currency }).format(Number(cents) / 100);
  } catch {
    return `${cents} ${currency}`;
  }
}

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
  // If the day of the month and the day of the week are both restricted, a day that matches either field counts.
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
