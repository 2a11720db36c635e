import type { Problem } from '../../../contract/problem';
import type { BatchFileReport, RuleCount } from '../../../jsonl/checking/batchFileReport';
import { isRefusedRule, type RuleId } from '../../../jsonl/rules/ruleTable';

/** Rules about the JSON of a line. A line that breaks one can't be sent unchanged, or means something else than intended. */
const jsonRules: ReadonlySet<string> = new Set<RuleId>(['json-syntax', 'duplicate-key', 'lone-surrogate', 'too-deep', 'not-a-request']);

/** Rules about the size of one batch. */
const limitRules: ReadonlySet<string> = new Set<RuleId>(['too-many-requests', 'body-too-large']);

type FoundProblems = Pick<BatchFileReport, 'problems' | 'problemCounts' | 'ruleCounts'>;

/** Returns the problems of a file except those of its size, which parts solve. */
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
 * Returns whether every error is inside the params of a single request, in a whole request or bare params. There the service's own rules
 * decide, which may be less strict than ours. Errors that the report doesn't list count as outside, unless their rule is about params
 * alone.
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
