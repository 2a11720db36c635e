import type { Problem, ProblemText, Severity } from '../../contract/problem';
import type { RuleOptions } from './ruleOptions';
import type { RuleId } from './ruleTable';

export type Path = readonly (string | number)[];
export type JsonObject = Readonly<Record<string, unknown>>;

/** Finding of a rule. The editor shows the finding at the value at `path`, or at the parent if the value is missing. */
export interface Finding {
  readonly rule: RuleId;
  readonly path: Path;
  readonly text: ProblemText;
  /** Severity if it differs from the severity of the rule. */
  readonly severity?: Severity;
  /** True to show the finding at the key instead of the value. */
  readonly atKey?: boolean;
  readonly hint?: NonNullable<Problem['hint']>;
}

/** Line that is a request or bare params, as input of the rules. */
export interface Subject {
  readonly kind: 'request' | 'params';
  readonly value: JsonObject;
  /** The params, or an empty object if they are not an object. */
  readonly params: JsonObject;
  readonly paramsPath: Path;
  readonly options: RuleOptions;
}

/** Creates a finding. `args` replace the placeholders of `template`. */
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

/** Returns an own field of an object. `undefined` for any other value. */
export function fieldOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
