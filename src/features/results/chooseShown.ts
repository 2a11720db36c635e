import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { BatchReference, RunReference } from '../../contributions';
import { loadRunChoice } from '../batches';
import { finalResultsOf, hasBatch, type Run, type SubmissionRegistry, toRuns } from '../ledger';
import { findShown, type ShownResults } from './panel/shownResults';

/** Results that are on this machine. */
export type FetchedShown = ShownResults &
  Required<Pick<ShownResults, 'results' | 'joined'>> & {
    readonly results: NonNullable<ShownResults['results']>;
    readonly joined: NonNullable<ShownResults['joined']>;
  };

/**
 * The final results that a command is about: those of its argument, or of the user's choice among all that were fetched and `fits`. Throws a
 * sentence when there are none yet, and `CancelledError` when the user turns back.
 */
export async function chooseShown(
  registry: SubmissionRegistry,
  target: RunReference | BatchReference | vscode.Uri | undefined,
  question: string,
  fits: (run: Run) => boolean = () => true,
): Promise<FetchedShown> {
  const { chooseRun } = await loadRunChoice();
  // What never became a batch has no results, though its family may.
  const hasResults = (run: Run) => hasBatch(run) && finalResultsOf(toRuns(registry.all()), run) !== undefined && fits(run);
  const run = await chooseRun(registry, target, question, hasResults);
  const shown = await findShown(registry, run.id);
  const { results, joined } = shown ?? {};
  if (shown === undefined || results === undefined || joined === undefined) {
    throw new Error(l10n.t('The results of this batch have not been fetched yet. Fetch them first.'));
  }
  return { ...shown, results, joined };
}
