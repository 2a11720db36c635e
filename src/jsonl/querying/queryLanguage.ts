import type { ProblemText } from '../../contract/problem';
import { severityOrder } from '../../contract/problem';
import { resultStatuses } from '../../shared/results/resultStatus';
import type { TableSubject } from '../results/resultsIndexFile';
import { type FieldColumnName, type JsonPath, toJsonPath, type ValueColumnName } from './valueColumns';

/** Field of a condition. */
export type QueryField =
  | ('id' | 'line' | 'status' | 'stop' | 'error' | 'in' | 'out' | 'tokens' | 'length' | 'text' | 'cluster')
  | ValueColumnName;

/**
 * Kind of a field's values. A `number` is compared with numbers and ranges. A `word` is one of a fixed list. A `name` is compared as a
 * whole by default. A `value` is compared as a name or a number. A `text` is searched.
 */
export type FieldKind = 'number' | 'word' | 'name' | 'value' | 'text';

export interface FieldRule {
  readonly name: QueryField;
  readonly kind: FieldKind;
  readonly aliases: readonly string[];
  readonly about: ProblemText;
  /** All values of a `word`, or the usual values of a `name`. */
  readonly values?: readonly string[];
  /** Other spellings of values, with the values they mean. */
  readonly synonyms?: ReadonlyMap<string, string>;
}

const about = (template: string): ProblemText => ({ template, args: [] });

/** All fields of fetched results, most used first. */
const resultFields: readonly FieldRule[] = [
  {
    name: 'status',
    kind: 'word',
    aliases: ['result', 'state'],
    about: about('Status of the result'),
    values: resultStatuses,
    synonyms: new Map([
      ['success', 'succeeded'],
      ['ok', 'succeeded'],
      ['error', 'failed'],
      ['errored', 'failed'],
      ['cut', 'cut_short'],
      ['truncated', 'cut_short'],
      ['refusal', 'refused'],
      ['cancelled', 'canceled'],
    ]),
  },
  {
    name: 'stop',
    kind: 'name',
    aliases: ['stop_reason', 'reason'],
    about: about('Stop reason'),
    values: ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded', 'none'],
  },
  {
    name: 'error',
    kind: 'text',
    aliases: ['error_type', 'message', 'error_message'],
    about: about('Type and message of the error'),
    values: ['invalid_request_error', 'rate_limit_error', 'overloaded_error', 'api_error', 'timeout_error', 'billing_error'],
  },
  { name: 'text', kind: 'text', aliases: ['answer', 'content'], about: about('Answer or error message') },
  { name: 'model', kind: 'name', aliases: [], about: about('Model that answered') },
  {
    name: 'test',
    kind: 'word',
    aliases: ['expected', 'expectation'],
    about: about('Whether the answer meets its expectations'),
    values: ['passed', 'failed'],
    synonyms: new Map([
      ['pass', 'passed'],
      ['fail', 'failed'],
      ['yes', 'passed'],
      ['no', 'failed'],
    ]),
  },
  { name: 'id', kind: 'text', aliases: ['custom_id'], about: about('custom_id of the request') },
  { name: 'line', kind: 'number', aliases: [], about: about('Line of the request in its file, from 1') },
  { name: 'out', kind: 'number', aliases: ['out_tokens', 'output_tokens', 'output'], about: about('Output tokens') },
  { name: 'in', kind: 'number', aliases: ['in_tokens', 'input_tokens', 'input'], about: about('Input tokens') },
  { name: 'tokens', kind: 'number', aliases: ['total_tokens'], about: about('Input and output tokens') },
  { name: 'length', kind: 'number', aliases: ['chars', 'characters', 'len'], about: about('Characters of the answer') },
  { name: 'cluster', kind: 'name', aliases: ['cause'], about: about('Cause of a failure') },
];

/** All fields of requests that have not been sent, most used first. */
const requestFields: readonly FieldRule[] = [
  {
    name: 'problem',
    kind: 'name',
    aliases: ['problems', 'rule'],
    about: about('Rule name, "any" or "none"'),
    values: ['any', 'none'],
  },
  {
    name: 'severity',
    kind: 'word',
    aliases: ['level'],
    about: about('Severity of the worst problem'),
    values: [...severityOrder, 'none'],
    synonyms: new Map([
      ['errors', 'error'],
      ['warnings', 'warning'],
      ['info', 'information'],
      ['hints', 'hint'],
      ['nothing', 'none'],
    ]),
  },
  { name: 'model', kind: 'name', aliases: [], about: about('Requested model') },
  { name: 'text', kind: 'text', aliases: ['prompt', 'content'], about: about('Prompt') },
  { name: 'id', kind: 'text', aliases: ['custom_id'], about: about('custom_id of the request') },
  { name: 'line', kind: 'number', aliases: [], about: about('Line of the request in its file, from 1') },
  { name: 'in', kind: 'number', aliases: ['in_tokens', 'input_tokens', 'input'], about: about('Estimated input tokens') },
  { name: 'out', kind: 'number', aliases: ['max_tokens', 'out_tokens', 'output'], about: about('Maximum output tokens') },
  { name: 'tokens', kind: 'number', aliases: ['total_tokens'], about: about('Input and output tokens') },
  { name: 'length', kind: 'number', aliases: ['chars', 'characters', 'len'], about: about('Characters of the prompt') },
];

const fieldsBySubject: Readonly<Record<TableSubject, readonly FieldRule[]>> = { results: resultFields, requests: requestFields };

/** Returns all fields of a table, most used first. */
export function fieldsOf(subject: TableSubject): readonly FieldRule[] {
  return fieldsBySubject[subject];
}

const byName = {
  results: new Map(namedRules(resultFields)),
  requests: new Map(namedRules(requestFields)),
};

function namedRules(fields: readonly FieldRule[]): readonly (readonly [string, FieldRule])[] {
  return fields.flatMap(rule => [rule.name, ...rule.aliases].map(name => [name, rule] as const));
}

/** Returns the names of all fields, including aliases. */
export function fieldNamesOf(subject: TableSubject): readonly string[] {
  return [...byName[subject].keys()];
}

/**
 * Returns the field with a name, ignoring case. `$.label` is the value at that path in the JSON of the answer or request, `fields.x` an
 * extra field.
 */
export function fieldOf(name: string, subject: TableSubject): FieldRule | undefined {
  const path = name.startsWith('$.') ? toJsonPath(name) : /^fields\../.test(name) ? (name as FieldColumnName) : undefined;
  return path === undefined ? byName[subject].get(name.toLowerCase()) : fieldAt(path);
}

function fieldAt(path: JsonPath | FieldColumnName): FieldRule {
  return { name: path, kind: 'value', aliases: [], about: about('Value in the JSON') };
}

export type QueryOperator = '=' | '!=' | '~' | '!~' | '>' | '>=' | '<' | '<=';

/** Operators of each kind of field. The first one is the default. */
export const operatorsOf: Readonly<Record<FieldKind, readonly QueryOperator[]>> = {
  number: ['=', '!=', '>', '>=', '<', '<='],
  word: ['=', '!='],
  name: ['=', '!=', '~', '!~'],
  value: ['=', '!=', '~', '!~', '>', '>=', '<', '<='],
  text: ['~', '!~', '=', '!='],
};

/** Inclusive range of numbers. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Tests by operator. `order` is the result of `compareNumbers` for a number and the number in the query. */
export const comparisons = {
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
};
export type ComparingOperator = keyof typeof comparisons;

export function isComparing(operator: QueryOperator): operator is ComparingOperator {
  return operator in comparisons;
}

/** Test of a text: it equals one of `values` in lower case, contains a part (ignoring case), or matches a pattern. */
export type TextTest =
  | { readonly kind: 'whole'; readonly values: readonly string[] }
  | { readonly kind: 'part'; readonly lower: string }
  | { readonly kind: 'pattern'; readonly pattern: RegExp };

/** Test of a number. Passes if the comparison is true for at least one of `numbers`, which are in JSON notation. */
export interface Comparison {
  readonly kind: 'compares';
  readonly operator: ComparingOperator;
  readonly numbers: readonly string[];
}

/** Parsed query. Conditions with `!=` and `!~` are a `not` around the positive condition. */
export type QueryNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly part: QueryNode }
  /** Matches if the number is in one of the ranges. */
  | { readonly kind: 'number'; readonly field: 'line' | 'in' | 'out' | 'tokens' | 'length'; readonly ranges: readonly NumberRange[] }
  /** Tests the text of a field. Unlike other `whole` values, those of `id` keep their case. */
  | { readonly kind: 'text'; readonly field: 'id' | 'status' | 'stop' | 'error' | 'text' | 'cluster'; readonly test: TextTest }
  /** Tests the value of a column that is read from the results. Ignores number notation. */
  | { readonly kind: 'value'; readonly column: ValueColumnName; readonly test: TextTest | Comparison }
  | { readonly kind: 'word'; readonly test: TextTest };
