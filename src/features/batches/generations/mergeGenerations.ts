import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import type { BatchReference, RunReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { toRuns } from '../../ledger';
import { chooseRun } from '../chooseRun';
import { describeResults } from '../fetching/resultsMessages';
import type { RunDependencies } from '../runCommands';
import { baseName } from '../sourceNames';
import { mergeDependenciesOf } from './mergeDependenciesOf';
import { mergeNeedOf, mergeRuns } from './mergeRuns';

/** Merges the results of all generations of a run, and says what the final set is. */
export async function mergeGenerations(
  deps: RunDependencies,
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  const { registry, lifetime } = deps;
  const { t } = vscode.l10n;
  const run = await chooseRun(
    registry,
    target,
    t('Merge the results of which batch and those that follow it?'),
    one => mergeNeedOf(toRuns(registry.all()), one) !== undefined,
  );
  const name = toLabel(baseName(run.source), 80);
  const merged = await withProgress(t('Merging the results of {0}', name), lifetime, (signal, tell) =>
    mergeRuns(mergeDependenciesOf(deps), run, { signal, onProgress: toReport(tell) }),
  );
  if (merged === undefined) {
    throw new Error(
      t(
        'There is only one set of results of {0}. Fetch those of the batches that follow it, or of the first one; then they can be merged.',
        name,
      ),
    );
  }
  const { joinedPath, report, runIds } = merged;
  const open = t('Open Results File');
  const table = t('Show Results Table');
  const summary = describeResults(path.basename(joinedPath), report, { translate: t, locale: vscode.env.language });
  const message = t('Merged {0} runs. {1}', runIds.length, summary);
  void showInformation(message, table, open).then(async choice => {
    if (choice === open) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(joinedPath));
    } else if (choice === table) {
      await runCommand('managedAgents.results.show', { runId: run.id, withRetries: true });
    }
  });
}
