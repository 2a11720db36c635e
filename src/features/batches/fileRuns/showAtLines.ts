import * as vscode from 'vscode';
import type { Lazy } from '../../../common/lazy';
import type { BatchReference, RunReference } from '../../../contributions';
import { type ChosenRuns, resultsOf, resultsOfSource, type SubmissionRegistry } from '../../ledger';
import { chooseRun } from '../chooseRun';

export interface ShowAtLinesDependencies {
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: Lazy<ChosenRuns>;
}

/** Opens the file of a run and shows the run's results at its lines until there are newer ones. */
export async function showAtLines(
  { registry, chosenRuns }: ShowAtLinesDependencies,
  target: RunReference | BatchReference | undefined,
): Promise<void> {
  const run = await chooseRun(registry, target, vscode.l10n.t('Select a run'), one => resultsOf(one) !== undefined);
  const all = registry.all();
  const isNewest = resultsOfSource(all, run.source)?.run.id === run.id;
  await (await chosenRuns.get()).choose(all, run.source, isNewest ? undefined : run.id);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(run.source));
}
