import { severityOrder } from './batchRules';
import type { Problem, Severity } from './problem';

/** Counts problems of any number and keeps the worst `limit`, by severity and then by line. */
export class ProblemList {
  private readonly kept: Record<Severity, Problem[]> = { error: [], warning: [], information: [], hint: [] };
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };

  constructor(private readonly limit: number) {}

  /** Whether a problem of `severity` at `line` would be among those kept; when not, only count it. */
  wants(severity: Severity, line: number): boolean {
    const kept = this.kept[severity];
    return kept.length < this.limit || line <= (kept.at(-1)?.line ?? 0);
  }

  add(problem: Problem): void {
    this.counts[problem.severity]++;
    if (!this.wants(problem.severity, problem.line)) {
      return;
    }
    const kept = this.kept[problem.severity];
    kept.push(problem);
    if (kept.length >= this.limit * 2) {
      kept.sort(byPlace);
      kept.length = this.limit;
    }
  }

  /** Counts a problem that would not be kept. */
  count(severity: Severity): void {
    this.counts[severity]++;
  }

  /** The worst first, then by line. */
  list(): readonly Problem[] {
    return severityOrder.flatMap(severity => this.kept[severity].sort(byPlace)).slice(0, this.limit);
  }
}

function byPlace(a: Problem, b: Problem): number {
  return a.line - b.line || a.start - b.start;
}
