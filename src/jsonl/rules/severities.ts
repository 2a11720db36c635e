import type { Problem, Severity } from '../../contract/problem';
import type { RuleOptions } from './ruleOptions';

/** The severity of a finding: `own` unless the user wants another for its rule; undefined when the rule is silenced. */
export function severityOf(rule: string, own: Severity, { severities }: Pick<RuleOptions, 'severities'>): Severity | undefined {
  const wanted = Object.hasOwn(severities, rule) ? severities[rule] : undefined;
  return wanted === 'off' ? undefined : (wanted ?? own);
}

/** The problem with the severity that the user wants for its rule; undefined when the rule is silenced. */
export function judged(problem: Problem, options: Pick<RuleOptions, 'severities'>): Problem | undefined {
  const severity = severityOf(problem.rule, problem.severity, options);
  return severity === undefined || severity === problem.severity ? severity && problem : { ...problem, severity };
}
