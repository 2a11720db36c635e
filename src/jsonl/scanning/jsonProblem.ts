import type { ProblemText, Severity } from '../../contract/problem';

export type JsonRule = 'json-syntax' | 'duplicate-key' | 'lone-surrogate' | 'too-deep' | 'number-precision';

/** Something wrong with the JSON itself. `start` and `end` are UTF-16 columns. */
export interface JsonProblem {
  readonly rule: JsonRule;
  readonly text: ProblemText;
  readonly start: number;
  readonly end: number;
  readonly path: readonly (string | number)[];
  /** When it weighs more than its rule does by itself. */
  readonly severity?: Severity;
}

/** Arrays and objects inside each other, at most. */
export const maxDepth = 512;
