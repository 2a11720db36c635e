import type { BatchFileReport } from '../../jsonl/batchFileReport';
import type { Problem } from '../../jsonl/problem';
import type { RequestRuleId } from '../../jsonl/requestRules';

/** Rules about values that the service has rules of its own for. A line that breaks any other cannot be sent as it stands. */
const valueRules: ReadonlySet<string> = new Set<RequestRuleId>([
  'missing-field',
  'unknown-field',
  'wrong-type',
  'value-not-allowed',
  'number-out-of-range',
  'text-length',
  'item-count',
  'text-pattern',
]);

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
  return valueRules.has(rule) && first !== undefined && first !== 'custom_id' && (first !== 'params' || path.length > 1);
}
