import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../common/asking/askSteps';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { describeSince } from '../../common/text/presentation';
import type { BatchReference, RunReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { finalResultsOf, type Run, runOf, type SubmissionRegistry, toRuns } from '../ledger';
import { runsToChoose } from './runsToChoose';
import { toSourceNames } from './sourceNames';

/**
 * Returns the run that a command is about: the one its argument means, or the user's choice among those that fit, those of the file
 * in front first, newest first. Throws a sentence when the argument means none, a `NothingToDoError` when no run fits, and a
 * `CancelledError` when the user turns back.
 */
export async function chooseRun(
  registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'findByBatch'>,
  target: RunReference | BatchReference | vscode.Uri | undefined,
  question: string,
  fits: (run: Run) => boolean,
): Promise<Run> {
  await registry.reload();
  const all = registry.all();
  const runs = toRuns(all);
  if (target !== undefined) {
    const run = find(registry, runs, target, fits);
    if (run === undefined) {
      throw new NothingToDoError(
        vscode.l10n.t('Nothing is known on this machine of a batch that fits. Create one, or fetch its results first.'),
      );
    }
    return run;
  }
  const { ofShown, others } = runsToChoose(all, fits, shownFile());
  const nameOf = toSourceNames(all.map(({ source }) => source));
  const toItem = (run: Run): Choice<Run> => ({
    label: toLabel(nameOf(run.source), 80),
    description: describeSince(run.startedAt, { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() }),
    detail: toLabel(run.submissions.map(({ batchId = '' }) => batchId).join(', '), 120),
    value: run,
  });
  const choices =
    ofShown.length === 0
      ? others.map(toItem)
      : [
          separator(vscode.l10n.t('Active file')),
          ...ofShown.map(toItem),
          ...(others.length === 0 ? [] : [separator(vscode.l10n.t('Others'))]),
          ...others.map(toItem),
        ];
  const none = vscode.l10n.t('No batch from this machine fits. Create one, or fetch its results first.');
  return await askChoice({ title: vscode.l10n.t('Batches'), placeholder: question, choices, none });
}

/** The file of the editor in front, text or not. */
function shownFile(): { readonly uri: string; readonly path: string | undefined } | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri && { uri: uri.toString(), path: uri.scheme === 'file' ? uri.fsPath : undefined };
}

function find(
  registry: Pick<SubmissionRegistry, 'all' | 'findByBatch'>,
  runs: readonly Run[],
  target: RunReference | BatchReference | vscode.Uri,
  fits: (run: Run) => boolean,
): Run | undefined {
  if ('runId' in target) {
    return runs.find(({ id }) => id === target.runId);
  }
  if ('batchId' in target) {
    const submission = registry.findByBatch(target.connection, target.batchId);
    return submission && runOf(registry.all(), submission);
  }
  const source = target.toString();
  return (
    runs.find(run => run.source === source && fits(run)) ??
    runs.find(run => target.scheme === 'file' && finalResultsOf(runs, run)?.joinedPath === target.fsPath && fits(run))
  );
}
