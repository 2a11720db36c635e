import { numberText, writeJson } from '../../shared/exactJson';
import type { JoinedResults } from '../results/joinedResults';

/** `$` and the names that lead to a value in the JSON of an answer: `$.label`, `$.items.0.score`. */
export type JsonPath = `$.${string}`;

/** Column with an extra field of the requests (see `RequestFields`): `fields.product_id`. */
export type FieldColumnName = `fields.${string}`;

/** What an index does not hold, and is read out of the results: the model that answered, whether the answer is as expected, values in its JSON. */
export type ValueColumnName = 'model' | 'test' | RequestColumnName | JsonPath | FieldColumnName;

/** Of requests that were not sent: the rules that found something, and the worst of their severities. */
export type RequestColumnName = 'problem' | 'severity';

/** A value of each row, of which most occur often. */
export interface ValueColumn {
  readonly name: ValueColumnName;
  /** Those that occur, the empty text first: a row without a value has that. */
  readonly values: readonly string[];
  /** Place in `values` of each row of the joined file. In shared memory. */
  readonly of: Uint32Array;
  /** True if long values are cut: enough to show, not enough to query. */
  readonly isCut?: boolean;
}

/** Files beside a request file with more data on its requests. */
export interface BesideFiles {
  /** Expectations, which decide whether `test` is `passed` or `failed`. Without the file, `test` is empty. */
  readonly expectationsPath?: string;
  /** Extra fields. */
  readonly fieldsPath?: string;
}

export interface ColumnsSource extends JoinedResults, BesideFiles {
  readonly names: readonly ValueColumnName[];
}

/** Longer paths are refused. */
export const longestPath = 200;

/** A path as people write it, or undefined when it is none: `label`, `.label` and `$.label` are one. */
export function toJsonPath(text: string): JsonPath | undefined {
  const steps = text
    .trim()
    .replace(/^\$?\.?/, '')
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.');
  return text.length <= longestPath && steps.every(step => /^[^\s()"'=~<>!,$[\]]+$/.test(step)) ? `$.${steps.join('.')}` : undefined;
}

export function isValueColumn(name: string): name is ValueColumnName {
  return ['model', 'test', 'problem', 'severity'].includes(name) || isDataColumn(name);
}

/** Returns whether a column depends on the data of a file: a value in the JSON, or an extra field. */
export function isDataColumn(name: string): name is JsonPath | FieldColumnName {
  return name.startsWith('$.') || name.startsWith('fields.');
}

/** Returns the value at a path as text, with numbers as they are written. Empty if there is none. */
export function valueAt(json: unknown, path: JsonPath): string {
  let value = json;
  for (const step of path.slice(2).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return '';
    }
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return typeof value === 'string' ? value : value === undefined ? '' : (numberText(value) ?? writeJson(value));
}

/** Returns whether a text is a JSON number. */
export function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
}
