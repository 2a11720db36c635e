import type { ProblemHint, ProblemText, Severity } from '../../contract/problem';
import type { RuleOptions } from './ruleOptions';
import type { RuleId } from './ruleTable';

export type Path = readonly (string | number)[];
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a rule finds: shown at the value that `path` leads to, or, where it is missing, at its parent. */
export interface Finding {
  readonly rule: RuleId;
  readonly path: Path;
  readonly text: ProblemText;
  /** When it weighs less than the rule does by itself. */
  readonly severity?: Severity;
  /** Shown at the key instead of the value. */
  readonly atKey?: boolean;
  readonly hint?: ProblemHint;
}

/** A line that is a request or params, as the rules see it. */
export interface Subject {
  readonly kind: 'request' | 'params';
  readonly value: JsonObject;
  /** What was given as params, when it is an object. */
  readonly params: JsonObject;
  /** Path of `params` in the line. */
  readonly paramsPath: Path;
  readonly options: RuleOptions;
}

/** Looks at one line; must not throw, whatever shape its values have. */
export type RequestRule = (subject: Subject) => Iterable<Finding>;

/** A finding in its shortest form; `args` fill the places of `template`. */
export function found(
  rule: RuleId,
  path: Path,
  template: string,
  args: readonly (string | number)[] = [],
  more: Omit<Finding, 'rule' | 'path' | 'text'> = {},
): Finding {
  return { rule, path, text: { template, args }, ...more };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The field of an object that has it itself. */
export function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Neither absent nor null. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
