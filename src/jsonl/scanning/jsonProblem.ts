import type { ProblemText, Severity } from '../../contract/problem';

export type JsonRule = 'json-syntax' | 'duplicate-key' | 'lone-surrogate' | 'too-deep' | 'number-precision';

/** Problem of the JSON itself. `start` and `end` are UTF-16 columns. */
export interface JsonProblem {
  readonly rule: JsonRule;
  readonly text: ProblemText;
  readonly start: number;
  readonly end: number;
  readonly path: readonly (string | number)[];
  /** Severity if it is higher than that of the rule. */
  readonly severity?: Severity;
}

/** Maximum nesting of arrays and objects. */
export const maxDepth = 512;
