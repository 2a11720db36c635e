import type { ErrorCluster } from '../answers/errorClusters';
import type { JoinedResults } from '../results/joinedResults';

export interface JudgeSource extends JoinedResults {
  /** Path of the expectations file, if there is one. */
  readonly expectationsPath?: string;
  /** Rows of the joined file to judge in detail, ascending. In shared memory. By default, all rows are judged without details. */
  readonly rows?: Uint32Array;
}

/** Kind of check. `expectation` means that the expectation itself is invalid. */
export type ExpectationCheck = 'contains' | 'pattern' | 'json_schema' | 'equals' | 'max_output_tokens' | 'expectation';

/** A group of answers that passed, or that failed for the same reason. */
export interface JudgedGroup {
  readonly kind: 'passed' | 'unmet' | ErrorCluster['kind'];
  /** Failed check of answers that don't meet their expectation. */
  readonly check: ExpectationCheck | undefined;
  readonly errorType: string | undefined;
  readonly message: string;
  readonly count: number;
}

export interface JudgedResults {
  /** Index in `groups` for each judged row, in order. In shared memory. */
  readonly groupOf: Uint16Array;
  /** Groups of answers. The first group has the answers that passed. */
  readonly groups: readonly JudgedGroup[];
  /** Failures of each judged row. Empty unless `rows` was given. */
  readonly details: readonly JudgedRow[];
  readonly problems: readonly ExpectationProblem[];
  /** Number of problems beyond those in `problems`. */
  readonly furtherProblems: number;
}

export interface JudgedRow {
  readonly row: number;
  readonly failure: UnmetExpectation | undefined;
  /** Text of the answer or error, cut at 64 Ki characters. */
  readonly text: string;
}

/** Expectation that an answer doesn't meet. */
export interface UnmetExpectation {
  readonly check: ExpectationCheck;
  /** Position in the answer's JSON as a JSON pointer, and the keyword of the schema. */
  readonly at?: string;
  readonly keyword?: string;
  readonly expected: string;
  readonly actual: string;
}

/** Problem in a line of an expectations file. */
export interface ExpectationProblem {
  /** Line number, 0-based. */
  readonly line: number;
  readonly code:
    | 'not-json'
    | 'not-object'
    | 'unknown-key'
    | 'wrong-value'
    | 'bad-pattern'
    | 'unknown-keyword'
    | 'twice'
    | 'no-such-id'
    | 'too-slow';
  readonly name: string;
}
