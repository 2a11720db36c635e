import { numberText, writeJson } from '../../shared/exactJson';
import { longestPath } from '../../shared/results/resultsProtocol';
import type { JoinedResults } from '../results/joinedResults';

/** Path to a value in the JSON of an answer: `$.label`, `$.items.0.score`. */
export type JsonPath = `$.${string}`;

/** Column for an extra field of the requests (see `RequestFields`): `fields.product_id`. */
export type FieldColumnName = `fields.${string}`;

/**
 * Column that is not in the index: the model, the test result, a value in the JSON, and for requests the rules with
 * problems and the highest severity.
 */
export type ValueColumnName = 'model' | 'test' | 'problem' | 'severity' | JsonPath | FieldColumnName;

/** Column with one value per row. Most values are repeated. */
export interface ValueColumn {
  readonly name: ValueColumnName;
  /** Distinct values. The first is the empty text, for rows without a value. */
  readonly values: readonly string[];
  /** Index in `values` for each row of the joined file. In shared memory. */
  readonly of: Uint32Array;
  /** True if long values are cut, so that they can be shown but not queried. */
  readonly isCut?: boolean;
}

/** Files next to a request file with more data on its requests. */
export interface BesideFiles {
  /** Path of the expectations, which decide whether `test` is `passed` or `failed`. Without expectations, `test` is empty. */
  readonly expectationsPath?: string;
  readonly fieldsPath?: string;
}

export interface ColumnsSource extends JoinedResults, BesideFiles {
  readonly names: readonly ValueColumnName[];
}

/** Parses a path, or returns `undefined` for an invalid path. `label`, `.label` and `$.label` are the same path. */
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

/** Returns the value at a path as text, with numbers in their original notation, or an empty text if there is none. */
export function textAt(json: unknown, path: JsonPath): string {
  let value = json;
  for (const step of path.slice(2).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return '';
    }
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return typeof value === 'string' ? value : value === undefined ? '' : (numberText(value) ?? writeJson(value));
}

export function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
}

/** Assigns a number to each distinct text. The empty text has number 0. */
export class TextNumbers {
  readonly values: string[] = [''];
  private readonly numbers = new Map([['', 0]]);

  of(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.values.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}
