import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../common/documents/documentChecks';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { lensTitle } from '../../../common/text/lensTitle';
import { describeAge, describeDuration, type PresentationContext } from '../../../common/text/presentation';
import { parseJsonLine } from '../../../jsonl/scanning/jsonText';
import { dateTimeFormat } from '../../../shared/formats';
import { isRecord } from '../../../shared/isRecord';
import { parseCron } from '../../../shared/schedule/cronExpression';
import { longestDelay, nextRunTimes, type RunTime } from '../../../shared/schedule/runTimes';
import { ownZone, zoneName } from '../../../shared/schedule/zoneTime';
import { describeCron, describeCronProblem, describeMoney } from '../kinds/deploymentWords';

const shownTimes = 5;

/** Schedule in the document of a deployment. A missing time zone counts as UTC. */
interface WrittenSchedule {
  readonly expression: string;
  readonly timezone: string;
}

/**
 * Returns the problems of a schedule as sentences. Empty if the schedule is valid. `start` and `end` are offsets in the expression. Without
 * them the problem is in the time zone.
 */
export function findScheduleProblems(
  { expression, timezone }: WrittenSchedule,
  context: PresentationContext,
): readonly { readonly message: string; readonly start?: number; readonly end?: number }[] {
  const { translate } = context;
  const parsed = parseCron(expression);
  const inExpression =
    'problem' in parsed ? [{ message: describeCronProblem(parsed, translate), start: parsed.start, end: parsed.end }] : [];
  const name = zoneName(timezone);
  if (name === undefined) {
    const message = translate('Use an IANA time zone, such as Europe/Berlin or UTC.');
    return [...inExpression, { message }];
  }
  return name === timezone ? inExpression : [...inExpression, { message: translate('Write {0}.', name) }];
}

/** Returns the code lens of a schedule: its meaning and the next time on one line. `undefined` if the schedule is invalid. */
export function toScheduleTitle(schedule: WrittenSchedule, ownZone: string, context: PresentationContext): string | undefined {
  const described = describe(schedule, context);
  if (described === undefined) {
    return undefined;
  }
  const { translate } = context;
  const next = described.times.find(({ clockChange }) => clockChange !== 'skipped');
  if (next === undefined) {
    return translate('{0} · never', described.words);
  }
  const { timezone } = schedule;
  const there = timeIn(timezone, next.at, context);
  const age = describeAge(new Date(next.at).toISOString(), context);
  const here = isSameClock(timezone, ownZone, described.times)
    ? ''
    : ` · ${translate('{0} local time', timeIn(ownZone, next.at, context))}`;
  return `${described.words} · ${translate('next {0}', there)} (${age})${here}`;
}

/**
 * Returns the hover of a schedule as Markdown: its meaning, and the next five times in its zone and in `ownZone`. Marks hours that daylight
 * saving skips or repeats, and says how late a session may start.
 */
export function toScheduleHover(schedule: WrittenSchedule, ownZone: string, context: PresentationContext): string | undefined {
  const described = describe(schedule, context);
  if (described === undefined) {
    return undefined;
  }
  const { translate, locale } = context;
  const { timezone } = schedule;
  const heading = `**${escapeMarkdown(described.words)}**`;
  if (described.times.length === 0) {
    return `${heading}\n\n${escapeMarkdown(translate('Never'))}`;
  }
  const hasOwn = !isSameClock(timezone, ownZone, described.times);
  const columns = [timezone, ...(hasOwn ? [translate('Local ({0})', ownZone)] : []), ''];
  const rows = described.times.map(time => [
    // The local time is given as if it were UTC.
    timeIn('UTC', time.wallTime, context),
    ...(hasOwn ? [time.clockChange === 'skipped' ? '' : timeIn(ownZone, time.at, context)] : []),
    toMark(time, context),
  ]);
  const table = [columns, columns.map(() => ':--'), ...rows].map((cells, index) =>
    index === 1 ? `|${cells.join('|')}|` : `| ${cells.map(cell => escapeMarkdown(cell)).join(' | ')} |`,
  );
  const delay = describeDuration(longestDelay(shortestInterval(described.times)), locale);
  const jitter = translate('Sessions can start up to {0} late.', delay);
  return [heading, table.join('\n'), escapeMarkdown(jitter)].join('\n\n');
}

function describe({ expression, timezone }: WrittenSchedule, context: PresentationContext) {
  const parsed = parseCron(expression);
  if ('problem' in parsed || zoneName(timezone) === undefined) {
    return undefined;
  }
  return { words: describeCron(parsed.fields, context), times: nextRunTimes(expression, timezone, context.now, shownTimes) };
}

function toMark({ clockChange }: RunTime, { translate }: PresentationContext): string {
  return clockChange === undefined ? '' : clockChange === 'skipped' ? translate('Skipped: clocks go forward') : translate('Clocks go back');
}

/** Returns whether two zones show the same local time at all of these times. */
function isSameClock(zone: string, ownZone: string, times: readonly RunTime[]): boolean {
  const inOwn = (at: number) => shownIn(ownZone, 'en').format(at);
  const inZone = shownIn(zone, 'en');
  return times.every(({ at }) => inOwn(at) === inZone.format(at));
}

function shortestInterval(times: readonly RunTime[]): number | undefined {
  const instants = times.flatMap(({ at, clockChange }) => (clockChange === 'skipped' ? [] : [at]));
  const intervals = instants.slice(1).map((at, index) => at - (instants[index] ?? 0));
  return intervals.length === 0 ? undefined : Math.min(...intervals);
}

function timeIn(zone: string, at: number, { locale }: PresentationContext): string {
  return shownIn(zone, locale).format(at);
}

function shownIn(zone: string, locale: string): Intl.DateTimeFormat {
  return dateTimeFormat(locale, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
}

/** Maximum length of a deployment document, in characters. Larger documents are ignored. */
const maxCharacters = 4_000_000;

/** Range in a text, in UTF-16 code units, with quotes. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Schedule with the ranges of its parts. */
interface ScheduleInText extends WrittenSchedule {
  readonly expressionSpan: TextSpan;
  readonly timezoneSpan?: TextSpan;
}

/** Finds the schedule in the text of a document. Returns `undefined` if there is no schedule or the JSON is invalid. */
export function findSchedule(text: string): ScheduleInText | undefined {
  const { value, root } = parse(text);
  const schedule = isRecord(value) ? value.schedule : undefined;
  const node = root?.children?.get('schedule');
  const expression = node?.children?.get('expression');
  if (!isRecord(schedule) || typeof schedule.expression !== 'string' || expression === undefined) {
    return undefined;
  }
  const timezone = node?.children?.get('timezone');
  return {
    expression: schedule.expression,
    timezone: typeof schedule.timezone === 'string' ? schedule.timezone : 'UTC',
    expressionSpan: expression,
    ...(timezone !== undefined && typeof schedule.timezone === 'string' && { timezoneSpan: timezone }),
  };
}

/** Returns the budget of a session in the text of a document, and the offset of its end. `undefined` without a budget in whole cents. */
export function findBudget(text: string): { readonly cents: string; readonly currency: string; readonly end: number } | undefined {
  const { value, root } = parse(text);
  const budget = isRecord(value) && isRecord(value.budget) ? value.budget.max_list_cost : undefined;
  const node = root?.children?.get('budget')?.children?.get('max_list_cost')?.children?.get('amount');
  if (!isRecord(budget) || typeof budget.amount !== 'string' || !/^\d{1,12}$/.test(budget.amount) || node === undefined) {
    return undefined;
  }
  return { cents: budget.amount, currency: typeof budget.currency === 'string' ? budget.currency : 'USD', end: node.end };
}

/** Returns the range of a part of the expression. Returns the whole expression if the expression is written with escapes. */
export function partOfExpression({ expression, expressionSpan }: ScheduleInText, start: number, end: number): TextSpan {
  const isPlain = expressionSpan.end - expressionSpan.start === expression.length + 2;
  const open = expressionSpan.start + 1;
  return isPlain && end > start ? { start: open + start, end: open + end } : expressionSpan;
}

function parse(text: string) {
  return parseJsonLine(text.length > maxCharacters ? '' : text.replace(/^\uFEFF/, ' '));
}

// Delay between the last change and the check, in milliseconds.
const checkDelay = 200;
// Interval between refreshes of the lenses, in milliseconds. The lenses show how soon a schedule runs.
const refreshInterval = 30_000;

/** Checks schedules, and calls `refreshLenses` whenever the text of a lens may have changed. */
export function followSchedules(selector: vscode.DocumentSelector, refreshLenses: () => void): vscode.Disposable {
  const ticking = setInterval(refreshLenses, refreshInterval);
  return combine(
    new DocumentChecks({
      name: 'managed-agents-schedules',
      matches: document => vscode.languages.match(selector, document) > 0,
      find: findProblems,
      delay: checkDelay,
    }),
    { dispose: () => clearInterval(ticking) },
  );
}

/** Returns the hover of the schedule at a position. */
export function toHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const schedule = findSchedule(document.getText());
  const offset = document.offsetAt(position);
  const span = [schedule?.expressionSpan, schedule?.timezoneSpan].find(one => one && one.start <= offset && offset <= one.end);
  if (schedule === undefined || span === undefined) {
    return undefined;
  }
  const text = toScheduleHover(schedule, ownZone(), presentation());
  return text === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(text), toRange(document, span));
}

/** Returns the lens with the meaning and the next time of a schedule. */
export function toLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const schedule = findSchedule(document.getText());
  const title = schedule && toScheduleTitle(schedule, ownZone(), presentation());
  if (schedule === undefined || title === undefined) {
    return [];
  }
  return [new vscode.CodeLens(toRange(document, schedule.expressionSpan), { title: lensTitle('calendar', title), command: '' })];
}

function findProblems(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const schedule = findSchedule(document.getText());
  const problems = schedule === undefined ? [] : findScheduleProblems(schedule, presentation());
  return problems.flatMap(({ message, start, end }) => {
    const { timezoneSpan } = schedule ?? {};
    const span = schedule && start !== undefined && end !== undefined ? partOfExpression(schedule, start, end) : timezoneSpan;
    return span === undefined ? [] : [createDiagnostic(toRange(document, span), message, vscode.DiagnosticSeverity.Error)];
  });
}

/** Returns an inlay hint that shows an amount in cents as money. */
export function toBudgetHints(document: vscode.TextDocument): vscode.InlayHint[] {
  const budget = findBudget(document.getText());
  if (budget === undefined) {
    return [];
  }
  const money = describeMoney(budget.cents, budget.currency, vscode.env.language);
  const hint = new vscode.InlayHint(document.positionAt(budget.end), `= ${money}`);
  hint.paddingLeft = true;
  return [hint];
}

function presentation(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
