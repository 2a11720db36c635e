import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { isCancellation } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { join } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { Run } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import type { BatchContext } from '../batchPresentation';
import { ResultsFetchError } from '../fetching/fetchErrors';
import { describeMoved } from '../fetching/resultsMessages';
import { describeEnd } from '../runPresentation';
import { countsOf } from '../runRow';
import { hasResults } from './endFetches';
import { lacksGoodResults } from './runSummary';

export type FetchedEnd =
  | {
      readonly isFetched: true;
      /** New path of an earlier run's results file. */
      readonly movedTo?: string | undefined;
    }
  | {
      readonly isFetched: false;
      readonly problem: string | undefined;
      readonly error?: unknown;
      /** True if a retry is useless. */
      readonly isFinal?: boolean;
    };

/** Maximum size of one batch's results for an automatic fetch, in bytes. */
const maxBytes = 256 << 20;

/** Fetches the results of an ended run without a dialog, and without replacing other files. Never rejects. */
export async function fetchEnded(
  deps: Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry'>,
  run: Run,
  signal: AbortSignal,
): Promise<FetchedEnd> {
  if (!run.submissions.some(hasResults)) {
    return { isFetched: false, problem: undefined };
  }
  try {
    const title = vscode.l10n.t('Fetching results');
    const fetched = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
      const { fetchRun } = await import('../fetching/fetchRun');
      return await fetchRun(deps, run, { signal, use: 'look', maxBytes });
    });
    signal.throwIfAborted();
    const problem = fetched.failed[0]?.error ?? fetched.fileError;
    if (problem !== undefined) {
      throw problem;
    }
    return { isFetched: true, movedTo: fetched.best?.movedTo };
  } catch (error) {
    if (!isCancellation(error)) {
      deps.log.warn(`The results of ${run.source} could not be fetched by themselves: ${describeError(error)}`);
    }
    const isFinal = error instanceof ResultsFetchError && error.kind === 'large';
    return { isFetched: false, problem: describeError(error), error, isFinal };
  }
}

/** Notifies the user of a run's end with a button to its results, unless the setting is off. Returns whether it was pressed. */
export async function notifyEnded(run: Run, fetched: FetchedEnd | undefined, context: BatchContext): Promise<boolean> {
  const problem = fetched?.isFetched === false ? fetched.problem : undefined;
  const hasFailures = lacksGoodResults(run);
  const wanted = readSetting('managedAgents.batches.notify');
  if (wanted === 'never' || (wanted === 'problems' && !hasFailures && problem === undefined)) {
    return false;
  }
  const show = hasFailures && countsOf(run).succeeded === 0 ? showWarning : showInformation;
  const { t } = vscode.l10n;
  const end = describeEnd(run, context);
  const moved = describeMoved(fetched?.isFetched === true ? fetched.movedTo : undefined, context);
  const message = problem === undefined ? join(' ', end, moved) : t("{0} Its results couldn't be fetched: {1}", end, toLabel(problem, 300));
  const button = fetched?.isFetched ? t('Show Results') : t('Fetch Results');
  const isChosen = (await show(message, button)) !== undefined;
  if (isChosen && fetched?.isFetched) {
    await runCommand('managedAgents.results.show', { runId: run.id, withRetries: true });
  } else if (isChosen) {
    await runCommand('managedAgents.batch.fetchResults', { runId: run.id });
  }
  return isChosen;
}
