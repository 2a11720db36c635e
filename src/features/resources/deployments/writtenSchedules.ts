import { type JsonNode, parseJsonLine } from '../../../jsonl/scanning/jsonText';
import { isRecord } from '../../../shared/isRecord';
import type { WrittenSchedule } from './schedulePresentation';

/** Maximum length of a deployment document, in characters. Larger documents are ignored. */
const maxCharacters = 4_000_000;

/** Range in a text, in UTF-16 code units, with quotes. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Schedule in the document of a deployment, with the ranges of its parts. A missing time zone counts as UTC. */
export interface ScheduleInText extends WrittenSchedule {
  readonly expressionSpan: TextSpan;
  readonly timezoneSpan?: TextSpan;
}

/** Finds the schedule in the text of a document. Returns `undefined` if there is none or the JSON is invalid. */
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
    expressionSpan: spanOf(expression),
    ...(timezone === undefined || typeof schedule.timezone !== 'string' ? {} : { timezoneSpan: spanOf(timezone) }),
  };
}

/** Amount of money in the text of a document, in cents. */
export interface AmountInText {
  readonly cents: string;
  readonly currency: string;
  /** End of the amount, in UTF-16 code units. */
  readonly end: number;
}

/** Returns the budget of a session in the text of a document. `undefined` if it names none in whole cents. */
export function findBudget(text: string): AmountInText | undefined {
  const { value, root } = parse(text);
  const budget = isRecord(value) && isRecord(value.budget) ? value.budget.max_list_cost : undefined;
  const node = root?.children?.get('budget')?.children?.get('max_list_cost')?.children?.get('amount');
  if (!isRecord(budget) || typeof budget.amount !== 'string' || !/^\d{1,12}$/.test(budget.amount) || node === undefined) {
    return undefined;
  }
  return { cents: budget.amount, currency: typeof budget.currency === 'string' ? budget.currency : 'USD', end: node.end };
}

/** Returns the range of a part of the expression. Returns the whole expression if it is written with escapes. */
export function partOfExpression({ expression, expressionSpan }: ScheduleInText, start: number, end: number): TextSpan {
  const isPlain = expressionSpan.end - expressionSpan.start === expression.length + 2;
  const open = expressionSpan.start + 1;
  return isPlain && end > start ? { start: open + start, end: open + end } : expressionSpan;
}

function parse(text: string) {
  return parseJsonLine(text.length > maxCharacters ? '' : text.replace(/^\uFEFF/, ' '), true);
}

function spanOf({ start, end }: JsonNode): TextSpan {
  return { start, end };
}
