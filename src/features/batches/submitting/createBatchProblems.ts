import type { Problem } from '../../../contract/problem';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { RuleId } from '../../../jsonl/rules/ruleTable';

/** Rules about the JSON of a line. A line that breaks one cannot be sent as it stands, or not as it is meant. */
const jsonRules: ReadonlySet<string> = new Set<RuleId>(['json-syntax', 'duplicate-key', 'lone-surrogate', 'too-deep', 'not-a-request']);

/** Rules about how much one batch may hold. */
export const limitRules: ReadonlySet<string> = new Set<RuleId>(['too-many-requests', 'body-too-large']);

/** What is wrong with a file beside its size, for which there are parts. */
export function withoutLimits({
  problems,
  problemCounts,
}: Pick<BatchFileReport, 'problems' | 'problemCounts'>): Pick<BatchFileReport, 'problems' | 'problemCounts'> {
  const counts = { ...problemCounts };
  const others = problems.filter(({ rule, severity }) => {
    const isOfLimits = limitRules.has(rule);
    counts[severity] -= isOfLimits ? 1 : 0;
    return !isOfLimits;
  });
  return { problems: others, problemCounts: counts };
}

/**
 * Whether everything that is wrong lies inside what single requests ask of the model, whole requests and bare params alike:
 * there the service's own rules count and may be laxer than ours. Not when there are more errors than the report lists,
 * because one of the others may be of another kind.
 */
export function isForTheServiceToJudge({ problems, problemCounts }: Pick<BatchFileReport, 'problems' | 'problemCounts'>): boolean {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.length > 0 && errors.length === problemCounts.error && errors.every(isInParams);
}

function isInParams({ rule, path }: Problem): boolean {
  const [first] = path;
  return !jsonRules.has(rule) && first !== undefined && first !== 'custom_id' && (first !== 'params' || path.length > 1);
}
