import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import type { Prices } from '../../../common/readPrices';
import { normalQuantile } from '../../../jsonl/comparing/verdict/distributions';
import { wilson } from '../../../jsonl/comparing/verdict/pairedTests';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import type { RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import { pathsOf, type Run, requestCountOf, resultsOf } from '../../ledger';
import { actualCost, type Cost } from '../runCost';
import type { BatchDependencies } from '../batchDependencies';

export interface TrialOutcome {
  readonly sampled: number;
  /** Requests with a good result that meets the file's expectations. */
  readonly succeeded: number;
  /** Requests whose result is good but not as expected. */
  readonly unmet: number;
  /** Share of the other requests that will succeed, from 0 to 1, with 95 % confidence. */
  readonly low: number;
  readonly high: number;
  readonly cost: Cost | undefined;
}

/** Returns the default number of requests of a trial: 1 %, at least 10 and at most 50. */
export function usualTrialSize(requests: number): number {
  return Math.min(requests - 1, 50, Math.max(10, Math.ceil(requests / 100)));
}

/** Returns the outcome of a trial from its results. */
export function toTrialOutcome(sampled: number, { kept }: Pick<RetryPlan, 'kept'>, unmet: number, cost: Cost | undefined): TrialOutcome {
  const succeeded = Math.max(0, kept - unmet);
  const [low, high] = wilson(succeeded, sampled, normalQuantile(0.975));
  return { sampled, succeeded, unmet, low: Math.max(0, low), high: Math.min(1, high), cost };
}

export async function judgeTrial(
  deps: Pick<BatchDependencies, 'jobs' | 'registry'>,
  run: Run,
  plan: Pick<RetryPlan, 'kept'>,
  { prices, signal }: { readonly prices: Prices; readonly signal: AbortSignal },
): Promise<TrialOutcome> {
  const sampled = requestCountOf(run);
  return toTrialOutcome(sampled, plan, await countUnmet(deps, run, signal), actualCost(run, prices));
}

async function countUnmet(
  { jobs, registry }: Pick<BatchDependencies, 'jobs' | 'registry'>,
  run: Run,
  signal: AbortSignal,
): Promise<number> {
  const results = resultsOf(run);
  const uri = vscode.Uri.parse(run.source);
  const expectationsPath = path.join(path.dirname(uri.fsPath), expectationsNameOf(path.basename(uri.fsPath)));
  if (results === undefined || uri.scheme !== 'file' || !(await exists(expectationsPath))) {
    return 0;
  }
  const { groups } = await jobs.run('judgeResults', { ...pathsOf(registry, results), expectationsPath }, { signal });
  return groups.reduce((sum, { kind, count }) => (kind === 'unmet' ? sum + count : sum), 0);
}
