export const cronFieldNames = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;
type CronFieldName = (typeof cronFieldNames)[number];

interface CronField {
  /** Ascending and unique. Sunday is 0. */
  readonly values: readonly number[];
  readonly isAny: boolean;
  /** Step of a field that is `*` with a step, such as 15 for every quarter of an hour. */
  readonly step?: number;
}

export type CronFields = Readonly<Record<CronFieldName, CronField>>;

/** Problem of an invalid expression. `start` and `end` (exclusive) are offsets in the expression. */
export type CronProblem = { readonly start: number; readonly end: number } & (
  | { readonly problem: 'count'; readonly found: number }
  | { readonly problem: 'syntax'; readonly field: CronFieldName; readonly part: string }
  | { readonly problem: 'range'; readonly field: CronFieldName; readonly part: string; readonly least: number; readonly most: number }
  | { readonly problem: 'order'; readonly field: CronFieldName; readonly part: string }
);

type ParsedCron = { readonly fields: CronFields } | CronProblem;

const bounds: Readonly<Record<CronFieldName, readonly [least: number, most: number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  dayOfMonth: [1, 31],
  month: [1, 12],
  dayOfWeek: [0, 7],
};

const names: Readonly<Partial<Record<CronFieldName, readonly string[]>>> = {
  month: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  dayOfWeek: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};

/**
 * Parses a schedule of five POSIX fields (API facts, section 14). Supports numbers, lists, ranges, `*`, steps of ranges, and names of
 * months and days of the week. Both 0 and 7 are Sunday. Returns the first problem of an invalid expression.
 */
export function parseCron(expression: string): ParsedCron {
  const parts = [...expression.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }));
  if (parts.length !== cronFieldNames.length) {
    return { problem: 'count', found: parts.length, start: 0, end: expression.length };
  }
  const fields = cronFieldNames.map((name, at) => readField(name, parts[at]?.text ?? '', parts[at]?.start ?? 0));
  const problem = fields.find(field => 'problem' in field);
  return problem ?? { fields: Object.fromEntries(cronFieldNames.map((name, at) => [name, fields[at]])) as CronFields };
}

function readField(field: CronFieldName, text: string, start: number): CronField | CronProblem {
  const values = new Set<number>();
  let at = start;
  for (const part of text.split(',')) {
    const read = readPart(field, part);
    if (!Array.isArray(read)) {
      return { ...read, start: at, end: Math.max(at + part.length, at + 1) };
    }
    for (const value of read) {
      values.add(field === 'dayOfWeek' ? value % 7 : value);
    }
    at += part.length + 1;
  }
  const step = /^\*\/(\d+)$/.exec(text)?.[1];
  return {
    values: [...values].sort((a, b) => a - b),
    isAny: text === '*',
    ...(step === undefined ? {} : { step: Number(step) }),
  };
}

type PartProblem = CronProblem extends infer P ? (P extends unknown ? Omit<P, 'start' | 'end'> : never) : never;

/** Returns the numbers of one part of a list: `5`, `1-5`, `*`, `1-30/2`. */
function readPart(field: CronFieldName, part: string): number[] | PartProblem {
  const [least, most] = bounds[field];
  const match = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d{1,4}))?$/.exec(part);
  const [, any, low, high, steps] = match ?? [];
  // A step needs a range, because services disagree about a step after a single number.
  if (match === null || (steps !== undefined && any === undefined && high === undefined)) {
    return { problem: 'syntax', field, part };
  }
  const from = any === undefined ? numberOf(field, low ?? '') : least;
  const to = any === undefined ? (high === undefined ? from : numberOf(field, high)) : most;
  if (from === undefined || to === undefined) {
    return { problem: 'syntax', field, part };
  }
  const step = steps === undefined ? 1 : Number(steps);
  if (from < least || to > most || from > most || step < 1) {
    return { problem: 'range', field, part, least, most };
  }
  if (from > to) {
    return { problem: 'order', field, part };
  }
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function numberOf(field: CronFieldName, text: string): number | undefined {
  const at = names[field]?.indexOf(text.toUpperCase()) ?? -1;
  return at >= 0 ? at + bounds[field][0] : /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}
