import type { Problem } from '../../../contract/problem';
import type { BatchFileReport, RuleCount } from '../../../jsonl/checking/batchFileReport';
import { isRefusedRule, type RuleId } from '../../../jsonl/rules/ruleTable';

/** Rules about the JSON of a line. A line that breaks one cannot be sent as it stands, or not as it is meant. */
const jsonRules: ReadonlySet<string> = new Set<RuleId>(['json-syntax', 'duplicate-key', 'lone-surrogate', 'too-deep', 'not-a-request']);

/** Rules about how much one batch may hold. */
const limitRules: ReadonlySet<string> = new Set<RuleId>(['too-many-requests', 'body-too-large']);

type FoundProblems = Pick<BatchFileReport, 'problems' | 'problemCounts' | 'ruleCounts'>;

/** What is wrong with a file beside its size, for which there are parts. */
export function withoutLimits({ problems, problemCounts, ruleCounts }: FoundProblems): FoundProblems {
  const counts = { ...problemCounts };
  const others = problems.filter(({ rule, severity }) => {
    const isOfLimits = limitRules.has(rule);
    counts[severity] -= isOfLimits ? 1 : 0;
    return !isOfLimits;
  });
  return { problems: others, problemCounts: counts, ruleCounts: ruleCounts.filter(({ rule }) => !limitRules.has(rule)) };
}

/**
 * Returns whether every error is inside the params of single requests, whole requests and bare params alike: there the service's own rules
 * count, and may be laxer than ours. Errors that the report does not list count as elsewhere, unless their rule is about params alone.
 */
export function isForTheServiceToJudge({ problems, problemCounts, ruleCounts }: FoundProblems): boolean {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0 || !errors.every(isInParams)) {
    return false;
  }
  return errors.length === problemCounts.error || ruleCounts.every(found => isRefusedRule(found.rule) || hidesNoError(found, problems));
}

/** Returns whether all errors of a rule are listed. The report lists the first problems of each rule and severity. */
function hidesNoError({ rule, count }: RuleCount, problems: BatchFileReport['problems']): boolean {
  const listed = problems.filter(problem => problem.rule === rule);
  return listed.length === count || (listed.length > 0 && listed.every(({ severity }) => severity !== 'error'));
}

function isInParams({ rule, path }: Problem): boolean {
  const [first] = path;
  return !jsonRules.has(rule) && first !== undefined && first !== 'custom_id' && (first !== 'params' || path.length > 1);
}
