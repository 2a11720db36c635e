import type { Problem, Severity } from '../../contract/problem';
import type { RuleOptions } from './ruleOptions';

/** Returns the severity that the user set for a rule, or `own` by default. `undefined` if the rule is off. */
export function severityOf(rule: string, own: Severity, { severities }: Pick<RuleOptions, 'severities'>): Severity | undefined {
  const wanted = Object.hasOwn(severities, rule) ? severities[rule] : undefined;
  return wanted === 'off' ? undefined : (wanted ?? own);
}

/** Returns the problem with the severity that the user set for its rule. `undefined` if the rule is off. */
export function judged(problem: Problem, options: Pick<RuleOptions, 'severities'>): Problem | undefined {
  const severity = severityOf(problem.rule, problem.severity, options);
  return severity === undefined || severity === problem.severity ? severity && problem : { ...problem, severity };
}
