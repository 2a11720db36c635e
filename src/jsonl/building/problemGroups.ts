import type { ProblemText, Severity } from '../../contract/problem';
import { severityOrder } from '../../contract/problem';
import type { ProblemGroup } from './rowsReport';

/** Kinds of problems that are told apart at most. */
const mostGroups = 200;
/** Places that are named of each. */
const mostPlaces = 20;

interface Group extends ProblemGroup {
  count: number;
  readonly places: { readonly row: number | undefined; readonly line: number }[];
}

/** Problems of any number, counted by kind. */
export class ProblemGroups {
  private readonly groups = new Map<string, Group>();

  /** Whether there is a problem of this kind already, whose sentence stands for all. */
  has(kind: string): boolean {
    return this.groups.has(kind);
  }

  /** `kind` says which problems belong together. */
  add(severity: Severity, kind: string, text: ProblemText, row: number | undefined, line: number): void {
    let group = this.groups.get(kind);
    if (group === undefined) {
      if (this.groups.size === mostGroups) {
        kind = severity;
        text = { template: 'Other problems of many kinds.', args: [] };
        group = this.groups.get(kind);
      }
      group ??= { severity, text, count: 0, places: [] };
      this.groups.set(kind, group);
    }
    group.count++;
    if (group.places.length < mostPlaces) {
      group.places.push({ row, line });
    }
  }

  /** The worst first, then the most frequent. */
  list(): readonly ProblemGroup[] {
    return [...this.groups.values()].sort(
      (a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity) || b.count - a.count,
    );
  }
}
