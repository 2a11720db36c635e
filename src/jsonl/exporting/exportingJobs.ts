import type { JoinedResults } from '../results/joinedResults';
import type { SubmittedFile } from '../retrying/submittedFile';

/** Writes joined results in other forms. */
export interface ExportingJobs {
  exportResults: { input: ExportSource; output: ExportReport };
}

export type ExportFormat = 'csv' | 'json' | 'markdown' | 'jsonl';

export interface ExportSource extends JoinedResults {
  readonly format: ExportFormat;
  readonly outPath: string;
  /** Rows of the joined file in the order to write them; all without it. */
  readonly rows?: Uint32Array;
  /**
   * With this, each answer stands beside its request; requests whose file has changed are left out. Of an id that is in several
   * files the last one counts.
   */
  readonly requests?: readonly SubmittedFile[];
  /** Begins a CSV file with a byte order mark, by which Excel knows that it is UTF-8. */
  readonly byteOrderMark?: boolean;
  /** What stands in a Markdown file beside the answers. */
  readonly words?: ExportWords;
}

/** Words of the user's language. */
export interface ExportWords {
  readonly title: string;
  readonly request: string;
  readonly answer: string;
  readonly error: string;
  /** `line {0}` and so on; the number stands for `{0}`. */
  readonly line: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
}

export interface ExportReport {
  readonly written: number;
  /** How many of them stand without the request that was asked for. */
  readonly withoutRequest: number;
}
