import { type Problem, type Severity, severityOrder } from '../../contract/problem';
import type { Noted } from '../rules/lineNotes';
import { judged, type RuleOptions, severityOf } from '../rules/ruleOptions';
import type { RuleCount } from './batchFileReport';

/** Counts any number of problems, in total and by rule, and lists the first of them. */
export class ProblemList {
  private readonly listed: Record<Severity, Problem[]> = { error: [], warning: [], information: [], hint: [] };
  private readonly listedOfRule: Record<Severity, Map<string, { count: number; lastLine: number }>> = {
    error: new Map(),
    warning: new Map(),
    information: new Map(),
    hint: new Map(),
  };
  private readonly byRule = new Map<string, { count: number; firstLine: number }>();
  private readonly severityCounts: Record<Severity, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  /** Number of lines with the same list of findings, none of which is listed. */
  private readonly repeated = new Map<readonly Noted[], { times: number; readonly firstLine: number }>();

  constructor(
    /** Maximum number of listed problems, and of those of one rule and severity. Severe problems, then early lines take precedence. */
    private readonly bounds: { readonly most: number; readonly maxOfRule: number },
    private readonly options: Pick<RuleOptions, 'severities'>,
  ) {}

  /** Returns whether a problem of `rule` with the default severity `own` would be listed. If not, it only has to be counted. */
  wants(rule: string, own: Severity, line: number): boolean {
    const severity = severityOf(rule, own, this.options);
    return severity !== undefined && this.hasRoom(rule, severity, line);
  }

  /**
   * Counts the findings of a line if none of them would be listed. Returns whether they were counted. Lines come in order, so a list of
   * findings that was only counted once is only counted from then on.
   */
  countUnkept(found: readonly Noted[], line: number): boolean {
    const known = this.repeated.get(found);
    if (known !== undefined) {
      known.times++;
      return true;
    }
    if (found.some(({ rule, severity }) => this.wants(rule, severity, line))) {
      return false;
    }
    this.repeated.set(found, { times: 1, firstLine: line });
    return true;
  }

  get counts(): Readonly<Record<Severity, number>> {
    this.settle();
    return { ...this.severityCounts };
  }

  add(problem: Problem): void {
    const reported = judged(problem, this.options);
    if (reported === undefined) {
      return;
    }
    const { severity, rule, line } = reported;
    this.tally(rule, severity, line);
    if (!this.hasRoom(rule, severity, line)) {
      return;
    }
    const ofRule = this.listedOfRule[severity].get(rule);
    if (ofRule === undefined) {
      this.listedOfRule[severity].set(rule, { count: 1, lastLine: line });
    } else {
      ofRule.count++;
      ofRule.lastLine = Math.max(ofRule.lastLine, line);
    }
    const listed = this.listed[severity];
    listed.push(reported);
    if (listed.length >= this.bounds.most * 2) {
      listed.sort(byPosition);
      listed.length = this.bounds.most;
    }
  }

  /** Counts a problem that would not be listed. */
  count(rule: string, own: Severity, line: number): void {
    const severity = severityOf(rule, own, this.options);
    if (severity !== undefined) {
      this.tally(rule, severity, line);
    }
  }

  /** Returns the listed problems, ordered from most to least severe, then by line. */
  list(): readonly Problem[] {
    return severityOrder.flatMap(severity => this.listed[severity].sort(byPosition)).slice(0, this.bounds.most);
  }

  /** Returns the number of findings of each rule, most findings first. */
  ruleCounts(): readonly RuleCount[] {
    this.settle();
    return sortedRuleCounts([...this.byRule].map(([rule, { count, firstLine }]) => ({ rule, count, firstLine })));
  }

  private hasRoom(rule: string, severity: Severity, line: number): boolean {
    const listed = this.listed[severity];
    if (listed.length >= this.bounds.most && line > (listed.at(-1)?.line ?? 0)) {
      return false;
    }
    const ofRule = this.listedOfRule[severity].get(rule);
    return ofRule === undefined || ofRule.count < this.bounds.maxOfRule || line < ofRule.lastLine;
  }

  private settle(): void {
    for (const [found, { times, firstLine }] of this.repeated) {
      for (const { rule, severity: own } of found) {
        const severity = severityOf(rule, own, this.options);
        if (severity !== undefined) {
          this.tally(rule, severity, firstLine, times);
        }
      }
    }
    this.repeated.clear();
  }

  private tally(rule: string, severity: Severity, line: number, times = 1): void {
    this.severityCounts[severity] += times;
    const known = this.byRule.get(rule);
    if (known === undefined) {
      this.byRule.set(rule, { count: times, firstLine: line });
    } else {
      known.count += times;
      known.firstLine = Math.min(known.firstLine, line);
    }
  }
}

/** Sorts by number of findings, highest first, then by name. */
export function sortedRuleCounts(counts: readonly RuleCount[]): readonly RuleCount[] {
  return [...counts].sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
}

function byPosition(a: Problem, b: Problem): number {
  return a.line - b.line || a.start - b.start;
}
