import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { Connections } from '../../connection';
import type { Run, SubmissionRegistry } from '../../ledger';
import { hasResults } from './endFetches';

export interface FetchEndedDependencies {
  readonly log: Log;
  readonly connections: Connections;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** What became of results that were to be fetched without anyone asking. */
export type FetchedEnd =
  | { readonly isFetched: true }
  | { readonly isFetched: false; readonly problem: string | undefined; readonly error?: unknown };

/** Fetches the results of a run that has ended, without a dialog and never over a file of something else. Never rejects. */
export async function fetchEnded(deps: FetchEndedDependencies, run: Run, signal: AbortSignal): Promise<FetchedEnd> {
  const wanted = run.submissions.filter(hasResults);
  if (wanted.length === 0) {
    return { isFetched: false, problem: undefined };
  }
  try {
    const title = vscode.l10n.t('Fetching results');
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
      if (run.parts > 1) {
        const { fetchGroup } = await import('../groups/fetchGroup');
        const { failed } = await fetchGroup(deps, run, { signal, quiet: true, use: 'look' });
        signal.throwIfAborted();
        if (failed[0] !== undefined) {
          throw failed[0].error;
        }
        return;
      }
      const { fetchSubmission } = await import('../fetching/fetchSubmission');
      for (const submission of wanted) {
        await fetchSubmission(deps, submission, { signal, quiet: true, use: 'look' });
      }
    });
    return { isFetched: true };
  } catch (error) {
    if (!isCancellation(error)) {
      deps.log.warn(`The results of ${run.source} could not be fetched by themselves: ${describeError(error)}`);
    }
    return { isFetched: false, problem: describeError(error), error };
  }
}
