import { type Problem, type Severity, severityOrder } from '../../contract/problem';
import type { Noted } from '../rules/lineNotes';
import { judged, type RuleOptions, severityOf } from '../rules/ruleOptions';
import type { RuleCount } from './batchFileReport';

/** Counts of the problems of one rule and severity: all problems, and those in the list. */
interface Tally extends RuleCount {
  readonly severity: Severity;
  count: number;
  firstLine: number;
  listed: number;
  lastListedLine: number;
}

/** Counts any number of problems, in total and by rule, and lists the first of them. */
export class ProblemList {
  private readonly listed: Record<Severity, Problem[]> = { error: [], warning: [], information: [], hint: [] };
  private readonly tallies = new Map<string, Tally>();

  constructor(
    /**
     * Maximum number of listed problems, in total and for each rule and severity. More severe problems take precedence, then problems on
     * earlier lines.
     */
    private readonly bounds: { readonly most: number; readonly maxOfRule: number },
    private readonly options: Pick<RuleOptions, 'severities'>,
  ) {}

  /** Counts the findings of a line if none of them would be listed. Returns whether they were counted. */
  countUnkept(found: readonly Noted[], line: number): boolean {
    const tallies = found.flatMap(({ rule, severity: own }) => {
      const severity = severityOf(rule, own, this.options);
      return severity === undefined ? [] : [this.tallyOf(rule, severity, line)];
    });
    if (tallies.some(tally => this.hasRoom(tally, line))) {
      return false;
    }
    for (const tally of tallies) {
      tally.count++;
    }
    return true;
  }

  get counts(): Readonly<Record<Severity, number>> {
    const counts = { error: 0, warning: 0, information: 0, hint: 0 };
    for (const { severity, count } of this.tallies.values()) {
      counts[severity] += count;
    }
    return counts;
  }

  add(problem: Problem): void {
    const reported = judged(problem, this.options);
    if (reported === undefined) {
      return;
    }
    const { severity, rule, line } = reported;
    const tally = this.tallyOf(rule, severity, line);
    tally.count++;
    if (!this.hasRoom(tally, line)) {
      return;
    }
    tally.listed++;
    tally.lastListedLine = Math.max(tally.lastListedLine, line);
    const listed = this.listed[severity];
    listed.push(reported);
    if (listed.length >= this.bounds.most * 2) {
      listed.sort(byPosition);
      listed.length = this.bounds.most;
    }
  }

  /** Returns the listed problems, ordered from most to least severe, then by line. */
  list(): readonly Problem[] {
    return severityOrder.flatMap(severity => this.listed[severity].sort(byPosition)).slice(0, this.bounds.most);
  }

  /** Adds up the findings of each rule. Sorts the rules by number of findings, highest first, then by name. */
  ruleCounts(): readonly RuleCount[] {
    const byRule = new Map<string, { readonly rule: string; count: number; firstLine: number }>();
    for (const { rule, count, firstLine } of this.tallies.values()) {
      const known = byRule.get(rule) ?? { rule, count: 0, firstLine };
      known.count += count;
      known.firstLine = Math.min(known.firstLine, firstLine);
      byRule.set(rule, known);
    }
    return [...byRule.values()].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
  }

  private hasRoom({ severity, listed: ofRule, lastListedLine }: Tally, line: number): boolean {
    const listed = this.listed[severity];
    if (listed.length >= this.bounds.most && line > (listed.at(-1)?.line ?? 0)) {
      return false;
    }
    return ofRule < this.bounds.maxOfRule || line < lastListedLine;
  }

  /** Returns the tally of a rule. Lowers its first line to `line` if necessary. */
  private tallyOf(rule: string, severity: Severity, line: number): Tally {
    const key = `${severity} ${rule}`;
    const tally = this.tallies.get(key) ?? { rule, severity, count: 0, firstLine: line, listed: 0, lastListedLine: 0 };
    tally.firstLine = Math.min(tally.firstLine, line);
    this.tallies.set(key, tally);
    return tally;
  }
}

function byPosition(a: Problem, b: Problem): number {
  return a.line - b.line || a.start - b.start;
}
