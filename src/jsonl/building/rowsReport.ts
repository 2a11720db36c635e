import { type ProblemText, type Severity, severityOrder } from '../../contract/problem';
import { Tally } from '../files/tally';
import type { TextProblem } from '../reading/textFile';

/** Format of the rows of a file. Can be structured-cloned for worker threads. */
export type RowsFormat =
  | { readonly kind: 'csv'; readonly delimiter: string; readonly hasHeader: boolean }
  /** One JSON object per line. */
  | { readonly kind: 'jsonl' }
  /** A JSON array of objects, or an object with one such array among its members. */
  | { readonly kind: 'json' };

export interface RowProblem extends TextProblem {
  readonly severity: Extract<Severity, 'error' | 'warning'>;
  /** Row number, 1-based like `{{row}}`. `undefined` if the problem is not in a row, for example in the header. */
  readonly row: number | undefined;
}

/** Problems of one kind in any number of rows. */
export interface ProblemGroup {
  readonly severity: Severity;
  readonly text: ProblemText;
  readonly count: number;
  readonly rows: readonly { readonly row: number | undefined; readonly line: number }[];
}

/** Column of cells, or key of the rows' objects. */
export interface RowsColumn {
  readonly name: string;
  /** Number of rows with a value other than an empty text or null. */
  readonly filled: number;
  /** True if every row has a distinct text or whole number that is a valid id for the service. */
  readonly isId: boolean;
}

/** Row of a file. Can be structured-cloned for worker threads. */
export interface Row {
  /** Row number, 1-based. A header and empty lines don't count. */
  readonly number: number;
  /** Line of the file on which the row starts, 0-based. */
  readonly line: number;
  /** Values as JSON, keyed by column. JSON values keep the bytes of the file. */
  readonly values: ReadonlyMap<string, string>;
}

export interface RowsSurvey {
  readonly format: RowsFormat;
  readonly fileBytes: number;
  readonly rowCount: number;
  /** Columns in order of first appearance, at most 1,000. */
  readonly columns: readonly RowsColumn[];
  readonly first: Row | undefined;
  readonly last: Row | undefined;
  /** Row that was requested by its number. `undefined` if no row was requested or the file has no such row. */
  readonly wanted: Row | undefined;
  /** Random sample of rows, in no particular order. */
  readonly random: readonly Row[];
  readonly stop: TextProblem | undefined;
}

export interface BuildReport {
  readonly rowCount: number;
  readonly requestCount: number;
  /** Number of rows left out because no request could be built from them. */
  readonly skippedRows: number;
  /** Number of requests with at least one error. */
  readonly badRequests: number;
  readonly bytes: number;
  readonly problems: readonly ProblemGroup[];
  /** Reason and position if reading stopped before the end of the file. In this case, nothing was written. */
  readonly stop: TextProblem | undefined;
}

const maxGroups = 200;
const maxRows = 20;

export class ProblemGroups {
  private readonly groups = new Map<
    string,
    Pick<ProblemGroup, 'severity' | 'text'> & { readonly rows: Tally<ProblemGroup['rows'][number]> }
  >();

  /** Returns whether the list has a problem of this kind. Further problems of a kind need no text. */
  has(kind: string): boolean {
    return this.groups.has(kind);
  }

  /** Adds a problem. Problems of the same `kind` are counted together. */
  add(severity: Severity, kind: string, text: ProblemText, row: number | undefined, line: number): void {
    if (!this.groups.has(kind) && this.groups.size >= maxGroups) {
      kind = severity;
      text = { template: 'Other problems.', args: [] };
    }
    const group = this.groups.get(kind) ?? { severity, text, rows: new Tally(maxRows) };
    this.groups.set(kind, group);
    group.rows.add(() => ({ row, line }));
  }

  /** Returns the groups, most severe first, then most frequent. */
  list(): readonly ProblemGroup[] {
    const groups = [...this.groups.values()].map(({ severity, text, rows }) => ({ severity, text, count: rows.count, rows: rows.first }));
    return groups.sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) || b.count - a.count);
  }
}
