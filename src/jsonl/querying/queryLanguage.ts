import { type ProblemText, severityOrder } from '../../contract/problem';
import { resultStatuses } from '../../shared/results/resultStatus';
import type { TableSubject } from '../results/resultsIndexFile';
import { type FieldColumnName, toJsonPath, type ValueColumnName } from './valueColumns';

export type QueryField =
  | ('id' | 'line' | 'status' | 'stop' | 'error' | 'in' | 'out' | 'tokens' | 'length' | 'text' | 'cluster')
  | ValueColumnName;

/**
 * Kind of a field's values. A `number` is compared with numbers and ranges. A `word` is one of a fixed list. A `name` is compared as a
 * whole by default. A `value` is compared as a name or a number. A `text` is searched.
 */
type FieldKind = 'number' | 'word' | 'name' | 'value' | 'text';

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

function field(
  name: QueryField,
  kind: FieldKind,
  template: string,
  aliases: readonly string[] = [],
  values?: readonly string[],
  synonyms?: Readonly<Record<string, string>>,
): FieldRule {
  const more = { ...(values && { values }), ...(synonyms && { synonyms: new Map(Object.entries(synonyms)) }) };
  return { name, kind, aliases, about: { template, args: [] }, ...more };
}

const stopReasons = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'none',
];
const errorTypes = ['invalid_request_error', 'rate_limit_error', 'overloaded_error', 'api_error', 'timeout_error', 'billing_error'];

/** All fields of each table, most used first. */
export const fieldsBySubject: Readonly<Record<TableSubject, readonly FieldRule[]>> = {
  results: [
    field('status', 'word', 'Status of the result', ['result', 'state'], resultStatuses, {
      ...{ success: 'succeeded', ok: 'succeeded', error: 'failed', errored: 'failed', cut: 'cut_short' },
      ...{ truncated: 'cut_short', refusal: 'refused', cancelled: 'canceled' },
    }),
    field('stop', 'name', 'Stop reason', ['stop_reason', 'reason'], stopReasons),
    field('error', 'text', 'Type and message of the error', ['error_type', 'message', 'error_message'], errorTypes),
    field('text', 'text', 'Answer or error message', ['answer', 'content']),
    field('model', 'name', 'Model that answered'),
    field('test', 'word', 'Whether the answer meets its expectations', ['expected', 'expectation'], ['passed', 'failed'], {
      ...{ pass: 'passed', fail: 'failed', yes: 'passed', no: 'failed' },
    }),
    field('id', 'text', 'custom_id of the request', ['custom_id']),
    field('line', 'number', 'Line of the request in its file, from 1'),
    field('out', 'number', 'Output tokens', ['out_tokens', 'output_tokens', 'output']),
    field('in', 'number', 'Input tokens', ['in_tokens', 'input_tokens', 'input']),
    field('tokens', 'number', 'Input and output tokens', ['total_tokens']),
    field('length', 'number', 'Characters of the answer', ['chars', 'characters', 'len']),
    field('cluster', 'name', 'Cause of a failure', ['cause']),
  ],
  requests: [
    field('problem', 'name', 'Rule name, "any" or "none"', ['problems', 'rule'], ['any', 'none']),
    field('severity', 'word', 'Severity of the worst problem', ['level'], [...severityOrder, 'none'], {
      ...{ errors: 'error', warnings: 'warning', info: 'information', hints: 'hint', nothing: 'none' },
    }),
    field('model', 'name', 'Requested model'),
    field('text', 'text', 'Prompt', ['prompt', 'content']),
    field('id', 'text', 'custom_id of the request', ['custom_id']),
    field('line', 'number', 'Line of the request in its file, from 1'),
    field('in', 'number', 'Estimated input tokens', ['in_tokens', 'input_tokens', 'input']),
    field('out', 'number', 'Maximum output tokens', ['max_tokens', 'out_tokens', 'output']),
    field('tokens', 'number', 'Input and output tokens', ['total_tokens']),
    field('length', 'number', 'Characters of the prompt', ['chars', 'characters', 'len']),
  ],
};

const byName = {
  results: new Map(namedRules(fieldsBySubject.results)),
  requests: new Map(namedRules(fieldsBySubject.requests)),
};

function namedRules(fields: readonly FieldRule[]): readonly (readonly [string, FieldRule])[] {
  return fields.flatMap(rule => [rule.name, ...rule.aliases].map(name => [name, rule] as const));
}

/** Returns the names of all fields, including aliases. */
export function fieldNamesOf(subject: TableSubject): readonly string[] {
  return [...byName[subject].keys()];
}

/** Returns the field with a name, ignoring case. `$.label` is a value in the JSON, `fields.x` an extra field. */
export function fieldOf(name: string, subject: TableSubject): FieldRule | undefined {
  const path = name.startsWith('$.') ? toJsonPath(name) : /^fields\../.test(name) ? (name as FieldColumnName) : undefined;
  return path === undefined ? byName[subject].get(name.toLowerCase()) : field(path, 'value', 'Value in the JSON');
}

export type QueryOperator = '=' | '!=' | '~' | '!~' | '>' | '>=' | '<' | '<=';

/** Operators of each kind of field. The first operator is the default. */
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
type ComparingOperator = keyof typeof comparisons;

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
  /** Tests the text of a field. `whole` values are in lower case, except in the field `id`. */
  | { readonly kind: 'text'; readonly field: 'id' | 'status' | 'stop' | 'error' | 'text' | 'cluster'; readonly test: TextTest }
  /** Tests the value of a column that is read from the results. `1` equals `1.0`. */
  | { readonly kind: 'value'; readonly column: ValueColumnName; readonly test: TextTest | Comparison }
  | { readonly kind: 'word'; readonly test: TextTest };
