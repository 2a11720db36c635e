import type { CheckTerms } from '../checking/batchFileReport';
import type { ValueColumn } from '../querying/valueColumns';

export interface RequestIndexSource {
  readonly path: string;
  /** Where the index goes; `path` and this one are then queried as joined results are. */
  readonly indexPath: string;
  readonly terms: CheckTerms;
}

export interface RequestIndexReport {
  /** Lines with text, each a row. */
  readonly rows: number;
  /** Estimated tokens of all prompts, and the sum of `max_tokens`. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Rows with an error; with a warning and no error. */
  readonly withErrors: number;
  readonly withWarnings: number;
  /** `model`, `problem` and `severity` of each row. */
  readonly columns: readonly ValueColumn[];
}

export interface RowsSource {
  readonly path: string;
  readonly indexPath: string;
  /** In shared memory. */
  readonly rows: Uint32Array;
  readonly outPath: string;
}
