import type { ProblemText, Severity } from '../../contract/problem';
import { severityOrder } from '../../contract/problem';
import type { ProblemGroup } from './rowsReport';

/** Maximum number of kinds of problems. */
const maxGroups = 200;
/** Maximum number of positions stored per kind. */
const maxPlaces = 20;

interface Group extends ProblemGroup {
  count: number;
  readonly rows: { readonly row: number | undefined; readonly line: number }[];
}

/** Counts problems by kind. */
export class ProblemGroups {
  private readonly groups = new Map<string, Group>();

  /** Returns whether a problem of this kind exists, so that its text can stand for others. */
  has(kind: string): boolean {
    return this.groups.has(kind);
  }

  /** Adds a problem. Problems with the same `kind` are counted together. */
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
    if (group.rows.length < maxPlaces) {
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
