import * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import { loadRunChoice } from '../../batches';
import { finalResultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import type { Shown } from './resultsPanelOptions';
import type { ResultsPanels } from './resultsPanels';

/** The command that shows results in a table: with an id the pair of that request is open, with a query only those that fit are listed. */
export async function showResults(
  { registry, panels }: { readonly registry: SubmissionRegistry; readonly panels: ResultsPanels },
  target: RunReference | BatchReference | vscode.Uri | undefined,
  shown: Shown = {},
): Promise<void> {
  const { chooseRun } = await loadRunChoice();
  const run = await chooseRun(registry, target, vscode.l10n.t('Show the results of which batch?'), candidate => {
    return finalResultsOf(toRuns(registry.all()), candidate) !== undefined;
  });
  // A menu of VS Code gives a command arguments of its own.
  panels.show(run.id, { customId: textOf(shown.customId), query: textOf(shown.query) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
