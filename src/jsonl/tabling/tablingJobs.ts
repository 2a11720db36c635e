import type { CheckTerms } from '../checking/batchFileReport';
import type { ValueColumn } from '../querying/valueColumns';

/** What makes a table of a request file. */
export interface TablingJobs {
  /** Reads a request file once for its rows and once for its prompts, and writes where they are. Throws `SourceChangedError` when it was written to meanwhile. */
  indexRequests: { input: RequestIndexSource; output: RequestIndexReport };
  /** Writes some rows of an indexed file as they stand there, in the order of the rows. */
  writeRows: { input: RowsSource; output: { readonly written: number } };
}

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
