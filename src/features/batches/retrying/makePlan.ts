import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { RetryPlan, RetryPlanSource } from '../../../jsonl/retrying/retryingJobs';
import { type Run, toRuns } from '../../ledger';
import { updateResultsFile } from '../fetching/resultsFile';
import type { RunDependencies } from '../runCommands';
import { type RetrySources, retrySourcesOf } from './retrySources';

export interface MadePlan {
  readonly sources: RetrySources;
  readonly plan: RetryPlan;
}

/**
 * Plans what of a run, and of all generations it is one of, is worth sending again. `name` is what people call it. Throws a sentence when
 * there are no results.
 */
export async function makePlan(
  deps: Pick<RunDependencies, 'registry' | 'jobs' | 'lifetime' | 'clock' | 'log'> & Partial<Pick<RunDependencies, 'rules'>>,
  run: Run,
  name: string,
): Promise<MadePlan> {
  const { registry, jobs, lifetime, rules } = deps;
  const { t } = vscode.l10n;
  return await withProgress(t('Planning the retry of {0}', name), lifetime, async (signal, tell) => {
    await updateResultsFile(deps, run, { signal });
    const sources = retrySourcesOf(toRuns(registry.all()), run, registry, pathOf);
    if (sources === undefined) {
      throw new Error(t('Fetch the results of {0} first: they say which requests failed.', name));
    }
    const models = rules?.models() ?? [];
    const mostTokens = models.flatMap(({ id, max_tokens }) => (typeof max_tokens === 'number' ? [[id, max_tokens] as const] : []));
    const source: RetryPlanSource = { ...sources.plan, mostTokens, now: Date.now() };
    return { sources, plan: await jobs.run('planRetry', source, { signal, onProgress: toReport(tell) }) };
  });
}

/** Where a file on this machine is; undefined for one elsewhere. */
function pathOf(source: string): string | undefined {
  const uri = vscode.Uri.parse(source);
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}
