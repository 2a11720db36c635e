import type { ProblemText, Severity } from '../../contract/problem';

/** How the rows of a file are written. Structured clone: threads get it. */
export type RowsFormat =
  | { readonly kind: 'csv'; readonly delimiter: string; readonly hasHeader: boolean }
  /** One JSON object on each line. */
  | { readonly kind: 'jsonl' }
  /** A JSON array of objects, or an object with one such array among its members. */
  | { readonly kind: 'json' };

/** Something about one row, or the place where reading had to end. */
export interface RowProblem {
  readonly severity: Extract<Severity, 'error' | 'warning'>;
  /** Counts from 1 as `{{row}}` does; undefined for what is no row, such as a header. */
  readonly row: number | undefined;
  /** Line of the file, from 0. */
  readonly line: number;
  readonly text: ProblemText;
}

/** Problems of one kind in many rows. */
export interface ProblemGroup {
  readonly severity: Severity;
  /** The sentence for the first of them. */
  readonly text: ProblemText;
  readonly count: number;
  /** The first of the places. */
  readonly places: readonly { readonly row: number | undefined; readonly line: number }[];
}

/** A column, or a key of the rows' objects. */
export interface RowsColumn {
  readonly name: string;
  /** Rows in which there is something: no empty text, no null. */
  readonly filled: number;
  /** Whether every row has a text or whole number there that is an id by the service's rules, and no two the same. */
  readonly isId: boolean;
}

/** One row as it can be handed to another thread: its cells, or its JSON. */
export type RowSample = { readonly number: number; readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly json: string }
);

/** What one pass over a file of rows found. */
export interface RowsSurvey {
  readonly format: RowsFormat;
  readonly fileBytes: number;
  readonly rowCount: number;
  /** In the order in which they first appear; at most 1,000. */
  readonly columns: readonly RowsColumn[];
  readonly first: RowSample | undefined;
  readonly last: RowSample | undefined;
  /** The row that was asked for by its number; undefined where none was, or there is none. */
  readonly wanted: RowSample | undefined;
  /** Some rows in random order, each row as likely as any other. */
  readonly random: readonly RowSample[];
  readonly problems: readonly ProblemGroup[];
  /** Why and where reading ended before the end of the file. */
  readonly stop: RowProblem | undefined;
}

/** What building requests from every row came to. */
export interface BuildReport {
  readonly rowCount: number;
  /** Requests that were built. */
  readonly requestCount: number;
  /** Rows that no request could be built of; they are left out. */
  readonly skippedRows: number;
  /** Requests with at least one error. */
  readonly badRequests: number;
  /** Bytes of the lines. */
  readonly bytes: number;
  /** The worst first. */
  readonly problems: readonly ProblemGroup[];
  /** Why and where reading ended before the end of the file; nothing was written then. */
  readonly stop: RowProblem | undefined;
}

/** Rows that nothing more can be read of. */
export class RowsError extends Error {
  override readonly name = 'RowsError';

  constructor(readonly problem: RowProblem) {
    super(problem.text.template);
  }
}

/** Ends reading at a line, from 0. */
export function stopReading(line: number, template: string, ...args: readonly (string | number)[]): never {
  throw new RowsError({ severity: 'error', row: undefined, line, text: { template, args } });
}
