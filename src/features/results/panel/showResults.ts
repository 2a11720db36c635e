import * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import { loadRunChoice } from '../../batches';
import { finalResultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import type { ResultsPanels } from './resultsPanels';

/** The command that shows results in a table; with an id the pair of that request is open. */
export async function showResults(
  { registry, panels }: { readonly registry: SubmissionRegistry; readonly panels: ResultsPanels },
  target: RunReference | BatchReference | vscode.Uri | undefined,
  customId?: string,
): Promise<void> {
  const { chooseRun } = await loadRunChoice();
  const run = await chooseRun(registry, target, vscode.l10n.t('Show the results of which batch?'), candidate => {
    return finalResultsOf(toRuns(registry.all()), candidate) !== undefined;
  });
  panels.show(run.id, typeof customId === 'string' ? customId : undefined);
}
