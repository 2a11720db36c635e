import type { CheckTerms } from '../checking/batchFileReport';
import type { ValueColumn } from '../querying/valueColumns';

export interface RequestIndexSource {
  readonly path: string;
  /** Path of the index to write. `path` and the index can then be queried like joined results. */
  readonly indexPath: string;
  readonly terms: CheckTerms;
}

export interface RequestIndexReport {
  /** Number of rows: lines that are not blank. */
  readonly rows: number;
  /** Estimated tokens of all prompts, and the sum of `max_tokens`. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Number of rows with an error, and with a warning but no error. */
  readonly withErrors: number;
  readonly withWarnings: number;
  /** Columns `model`, `problem` and `severity`. */
  readonly columns: readonly ValueColumn[];
}

export interface RowsSource {
  readonly path: string;
  readonly indexPath: string;
  /** Rows to write. In shared memory. */
  readonly rows: Uint32Array;
  readonly outPath: string;
}
