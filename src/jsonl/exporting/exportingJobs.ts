import type { JoinedResults } from '../results/joinedResults';
import type { TokenPrices } from '../results/tokenCost';
import type { SubmittedFile } from '../retrying/findSubmitted';

export type ExportFormat = 'csv' | 'json' | 'markdown' | 'jsonl';

export interface ExportSource extends JoinedResults {
  readonly format: ExportFormat;
  readonly outPath: string;
  /** Rows of the joined file to write, in order. Default: all rows. */
  readonly rows?: Uint32Array;
  /**
   * Files with the requests to export with the answers. Files that have changed are ignored. If several files contain an id, the last file
   * wins.
   */
  readonly requests?: readonly SubmittedFile[];
  /** File with extra fields of the requests (see `RequestFields`), exported together with the answers. */
  readonly fieldsPath?: string;
  /** True to write CSV for Excel: with a byte order mark, so that Excel reads UTF-8, and with cells cut to Excel's maximum length. */
  readonly isForExcel?: boolean;
  readonly prices?: Readonly<Record<string, TokenPrices>>;
  readonly words: ExportWords;
}

/** Words of an exported page, in the user's language. */
export interface ExportWords {
  readonly title: string;
  readonly request: string;
  readonly answer: string;
  readonly error: string;
  /** Template such as `line {0}`, with `{0}` for the number. */
  readonly line: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
}

export interface ExportReport {
  readonly written: number;
  /** Number of results whose request should be exported but was not found. */
  readonly withoutRequest: number;
  /** Number of rows with a cell that is too long for a spreadsheet. Such cells are cut for Excel and complete in other files. */
  readonly overlong: number;
}
