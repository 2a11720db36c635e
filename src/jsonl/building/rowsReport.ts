import { type ProblemText, type Severity, severityOrder } from '../../contract/problem';
import type { TextProblem } from '../reading/textFile';

/** Format of the rows of a file. Can be structured-cloned for worker threads. */
export type RowsFormat =
  | { readonly kind: 'csv'; readonly delimiter: string; readonly hasHeader: boolean }
  /** One JSON object per line. */
  | { readonly kind: 'jsonl' }
  /** A JSON array of objects, or an object with one such array among its members. */
  | { readonly kind: 'json' };

/** Problem of a row. */
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

/** Row in a form that can be sent to another thread: its cells, or its JSON. */
export type RowSample = { readonly number: number; readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly json: string }
);

/** Results of one pass over a file of rows. */
export interface RowsSurvey {
  readonly format: RowsFormat;
  readonly fileBytes: number;
  readonly rowCount: number;
  /** Columns in order of first appearance, at most 1,000. */
  readonly columns: readonly RowsColumn[];
  readonly first: RowSample | undefined;
  readonly last: RowSample | undefined;
  /** Row that was requested by its number, or `undefined` if none was requested or the file has no such row. */
  readonly wanted: RowSample | undefined;
  /** Random sample of rows, uniformly distributed and in random order. */
  readonly random: readonly RowSample[];
  readonly problems: readonly ProblemGroup[];
  readonly stop: TextProblem | undefined;
}

/** Report of building requests from all rows. */
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

interface Group extends ProblemGroup {
  count: number;
  readonly rows: { readonly row: number | undefined; readonly line: number }[];
}

export class ProblemGroups {
  private readonly groups = new Map<string, Group>();

  /** Returns whether the list has a problem of this kind. Further problems of a kind need no text. */
  has(kind: string): boolean {
    return this.groups.has(kind);
  }

  /** Adds a problem. Problems of the same `kind` are counted together. */
  add(severity: Severity, kind: string, text: ProblemText, row: number | undefined, line: number): void {
    let group = this.groups.get(kind);
    if (group === undefined) {
      if (this.groups.size === maxGroups) {
        kind = severity;
        text = { template: 'Other problems.', args: [] };
        group = this.groups.get(kind);
      }
      group ??= { severity, text, count: 0, rows: [] };
      this.groups.set(kind, group);
    }
    group.count++;
    if (group.rows.length < maxRows) {
      group.rows.push({ row, line });
    }
  }

  /** Returns the groups, most severe first, then most frequent. */
  list(): readonly ProblemGroup[] {
    return [...this.groups.values()].sort(
      (a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) || b.count - a.count,
    );
  }
}
