import type { JobOptions } from '../../../jsonl/jobs/jobs';
import type { RetryPlan, RetryPlanSource } from '../../../jsonl/retrying/retryingJobs';
import { type Run, toRuns } from '../../ledger';
import { mergeResults } from '../fetching/resultsFile';
import { sourcePathOf } from '../incremental/sourcePath';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { type RetrySources, retrySourcesOf } from './retrySources';

export interface PlannedRetry {
  readonly sources: RetrySources;
  readonly plan: RetryPlan;
}

/** Plans which requests of a run and its other generations are worth sending again. Returns `undefined` without results. */
export async function makePlan(
  deps: Pick<CreateBatchDependencies, 'registry' | 'jobs' | 'clock' | 'log' | 'rules'>,
  run: Run,
  options: JobOptions,
): Promise<PlannedRetry | undefined> {
  const { registry, jobs, rules } = deps;
  await mergeResults(deps, run, options);
  const sources = retrySourcesOf(toRuns(registry.all()), run, registry, sourcePathOf);
  if (sources === undefined) {
    return undefined;
  }
  const mostTokens = (rules.models() ?? []).flatMap(({ id, max_tokens }) =>
    typeof max_tokens === 'number' ? [[id, max_tokens] as const] : [],
  );
  const source: RetryPlanSource = { ...sources.plan, mostTokens, now: Date.now() };
  return { sources, plan: await jobs.run('planRetry', source, options) };
}
