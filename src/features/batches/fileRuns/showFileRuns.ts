import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { Lazy } from '../../../common/lazy';
import { toLabel } from '../../../shared/text';
import { type ChosenRuns, isUnderWay, type Run, resultsOf, resultsOfSource, type SubmissionRegistry } from '../../ledger';
import { baseName, toSourceNames } from '../sourceNames';
import { type FileRun, fileRunsOf } from './fileRuns';
import { presentRun, type RunRowContext } from './runPresentation';
import { toTrend } from './toTrend';

/** What the list of a file's runs needs. */
export interface FileRunsDependencies {
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: Lazy<ChosenRuns>;
}

type Act = 'open' | 'show' | 'compare' | 'delete';

interface ActButton extends vscode.QuickInputButton {
  readonly act: Act;
}

interface RunItem extends vscode.QuickPickItem {
  readonly fileRun: FileRun;
  readonly buttons: readonly ActButton[];
}

/** The command that lists all runs of a request file, and opens, shows at the lines, compares or deletes the one that is chosen. */
export async function showFileRuns(deps: FileRunsDependencies, given: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const { registry } = deps;
  const chosenRuns = await deps.chosenRuns.get();
  const file = await chooseFile(given, { question: t('Show the runs of which file?'), openLabel: t('Show Runs') });
  const source = file.toString();
  for (;;) {
    await registry.reload();
    const all = registry.all();
    const runs = fileRunsOf(all, source);
    const nameOf = toSourceNames([source, ...all.map(one => one.source)]);
    const context = { ...toContext(), nameOf };
    const items = toItems(runs, chosenRuns.runOf(all, source) ?? resultsOfSource(all, source)?.run, context);
    if (items.length === 0) {
      void showInformation(t('{0} has no runs on this machine yet. A run begins with Create Batch.', toLabel(baseName(source), 80)));
      return;
    }
    const trend = toTrend(runs, context);
    const name = toLabel(nameOf(source), 80);
    const chosen = await choose(items, trend === '' ? t('Runs of {0}', name) : t('Runs of {0}: {1}', name, trend));
    if (chosen === undefined) {
      return;
    }
    const { act, item } = chosen;
    const { run } = item.fileRun;
    switch (act) {
      case 'open':
        return await openRun(run);
      case 'compare':
        return await runCommand('managedAgents.results.compare', { runId: run.id });
      case 'show': {
        const isNewest = resultsOfSource(registry.all(), source)?.run.id === run.id;
        await chosenRuns.choose(registry.all(), source, isNewest ? undefined : run.id);
        await vscode.commands.executeCommand('vscode.open', file);
        return;
      }
      case 'delete':
        // The list of what is left follows.
        await runCommand('managedAgents.delete', { runId: run.id });
    }
  }
}

function toContext(): RunRowContext {
  return {
    ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
    ...readEstimateSettings(),
  };
}

function toItems(runs: readonly FileRun[], shown: Run | undefined, context: RunRowContext): readonly RunItem[] {
  return runs.map(fileRun => ({
    ...presentRun(fileRun, shown?.id === fileRun.run.id, context),
    buttons: toButtons(fileRun.run, shown?.id === fileRun.run.id),
    fileRun,
  }));
}

function toButtons(run: Run, isShown: boolean): readonly ActButton[] {
  const { t } = vscode.l10n;
  const button = (act: Act, icon: string, tooltip: string): ActButton => ({ act, tooltip, iconPath: new vscode.ThemeIcon(icon) });
  return [
    ...(resultsOf(run) === undefined
      ? []
      : [...(isShown ? [] : [button('show', 'eye', t('Show at the Lines'))]), button('compare', 'diff', t('Compare With...'))]),
    ...(run.submissions.some(isUnderWay) ? [] : [button('delete', 'trash', t('Delete...'))]),
  ];
}

/** What the user does with which run; undefined when the user turns back. */
function choose(items: readonly RunItem[], title: string): Promise<{ readonly act: Act; readonly item: RunItem } | undefined> {
  const picker = vscode.window.createQuickPick<RunItem>();
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Choose a run to open its results');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = items;
  return new Promise(resolve => {
    const end = (chosen: { readonly act: Act; readonly item: RunItem } | undefined) => {
      resolve(chosen);
      picker.hide();
    };
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item !== undefined) {
        end({ act: 'open', item });
      }
    });
    picker.onDidTriggerItemButton(({ item, button }) => end({ act: (button as ActButton).act, item }));
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

/** The results of a run as a table; where there are none they are fetched, and before its end its batch is shown. */
async function openRun(run: Run): Promise<void> {
  const { lead, parts, connection } = run;
  if (resultsOf(run) !== undefined) {
    await runCommand('managedAgents.results.show', { runId: run.id });
  } else if (lead.batchId === undefined) {
    await runCommand('managedAgents.submission.resolve', { submissionId: lead.id });
  } else if (run.submissions.some(isUnderWay) || lead.deleted === true) {
    await runCommand('managedAgents.batch.open', { connection, batchId: lead.batchId });
  } else {
    await runCommand('managedAgents.batch.fetchResults', parts > 1 ? { runId: run.id } : { connection, batchId: lead.batchId });
  }
}
