import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { BatchReference, RunReference } from '../../contributions';
import { loadRunChoice } from '../batches';
import type { SubmissionRegistry } from '../ledger';
import { findShown, type ShownResults } from './panel/shownResults';

/** Results that have been fetched to this machine. */
export type FetchedShown = ShownResults &
  Required<Pick<ShownResults, 'results' | 'joined'>> & {
    readonly results: NonNullable<ShownResults['results']>;
    readonly joined: NonNullable<ShownResults['joined']>;
  };

/**
 * Returns the results for a command: those of its argument, or the user's choice among all fetched results. Throws an error with a message
 * for the user if there are none yet, and a `CancelledError` if the user cancels.
 */
export async function chooseShown(
  registry: SubmissionRegistry,
  target: RunReference | BatchReference | vscode.Uri | undefined,
  question: string,
): Promise<FetchedShown> {
  const { chooseResults } = await loadRunChoice();
  const { run, withRetries } = await chooseResults(registry, target, question);
  const shown = await findShown(registry, { runId: run.id, withRetries });
  const { results, joined } = shown ?? {};
  if (shown === undefined || results === undefined || joined === undefined) {
    throw new Error(l10n.t('Fetch the results first.'));
  }
  return { ...shown, results, joined };
}
