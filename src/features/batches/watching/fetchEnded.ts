import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import type { Run } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { ResultsFetchError } from '../fetching/fetchErrors';
import { hasResults } from './endFetches';

/** Result of an automatic fetch. */
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
