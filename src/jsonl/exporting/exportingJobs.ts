import type { JoinedResults } from '../results/joinedResults';
import type { TokenPrices } from '../results/tokenCost';
import type { SubmittedFile } from '../retrying/submittedFile';

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
  /** File with extra fields of the requests (see `RequestFields`), which are exported with the answers. */
  readonly fieldsPath?: string;
  /** True to write CSV for Excel: with a byte order mark, so that it reads UTF-8, and with cells cut to its maximum length. */
  readonly isForExcel?: boolean;
  /** Prices by model, for a column with the cost of each answer. */
  readonly prices?: Readonly<Record<string, TokenPrices>>;
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
  /** Number of rows with a cell longer than a spreadsheet holds: cut for Excel, whole in other files. */
  readonly overlong: number;
}
