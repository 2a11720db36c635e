import type { ErrorCluster } from '../querying/queryingJobs';
import type { JoinedResults } from '../results/joinedResults';

export interface JudgeSource extends JoinedResults {
  /** A file of expectations, when there is one. */
  readonly expectationsPath?: string;
  /** With this only these rows of the joined file, ascending, and what is wrong with each of them. In shared memory. */
  readonly rows?: Uint32Array;
}

/** What is expected of an answer. `expectation`: the expectation itself cannot be used. */
export type ExpectationCheck = 'contains' | 'pattern' | 'json_schema' | 'equals' | 'max_output_tokens' | 'expectation';

/** Answers that passed, or that failed for one cause. */
export interface JudgedGroup {
  readonly kind: 'passed' | 'unmet' | ErrorCluster['kind'];
  /** Of answers that are not what was expected. */
  readonly check: ExpectationCheck | undefined;
  readonly errorType: string | undefined;
  readonly message: string;
  readonly count: number;
}

export interface JudgedResults {
  /** Per row that was judged, in order, its group's place in `groups`. In shared memory. */
  readonly groupOf: Uint16Array;
  /** The first are those that passed. */
  readonly groups: readonly JudgedGroup[];
  /** What is wrong with each judged row, when rows were given. */
  readonly details: readonly JudgedRow[];
  readonly problems: readonly ExpectationProblem[];
  /** Problems beyond those. */
  readonly furtherProblems: number;
}

/** One request that was judged. */
export interface JudgedRow {
  readonly row: number;
  readonly failure: UnmetExpectation | undefined;
  /** What the answer or the error says, cut at 64 KiB. */
  readonly text: string;
}

/** What an answer is not. */
export interface UnmetExpectation {
  readonly check: ExpectationCheck;
  /** Where in the answer's JSON, as a JSON pointer, and which keyword of the schema. */
  readonly at?: string;
  readonly keyword?: string;
  readonly expected: string;
  readonly actual: string;
}

/** A line of a file of expectations that cannot be used. */
export interface ExpectationProblem {
  /** From 0. */
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
  /** The key, keyword or id that it is about. */
  readonly name: string;
}
