import * as vscode from 'vscode';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { CancelledError } from '../../../common/cancellation';
import { describeSince, join } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import { finalResultsOf, generationsOf, hasBatch, type Run, resultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { modelWords } from './comparePresentation';

interface RunItem extends vscode.QuickPickItem {
  readonly run?: Run;
}

/**
 * Asks which run another one is compared with: its generations first, then other runs of the same file, then the rest. Throws a sentence
 * when there is none, and `CancelledError` when the user turns back.
 */
export async function chooseOther(registry: SubmissionRegistry, one: Run): Promise<Run> {
  const { t } = vscode.l10n;
  const runs = toRuns(registry.all());
  const family = new Set(generationsOf(runs, one).map(({ id }) => id));
  // A generation without results of its own has nothing to compare.
  const others = runs.filter(
    run => run.id !== one.id && hasBatch(run) && (family.has(run.id) ? resultsOf(run) : finalResultsOf(runs, run)) !== undefined,
  );
  if (others.length === 0) {
    throw new NothingToDoError(
      t('There is nothing to compare with yet. Run the file again, for instance with another model, and fetch the results.'),
    );
  }
  const isSameFile = (run: Run) => run.source === one.source;
  const groups: readonly (readonly [string, readonly Run[]])[] = [
    [t('Runs that follow each other'), others.filter(({ id }) => family.has(id))],
    [t('The same file'), others.filter(run => !family.has(run.id) && isSameFile(run))],
    [t('Other files'), others.filter(run => !family.has(run.id) && !isSameFile(run))],
  ];
  const items = groups.flatMap(([label, members]): readonly RunItem[] =>
    members.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...members.map(toItem)],
  );
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: t('Compare {0} ({1}) with which results?', nameOf(one), ageOf(one)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.run === undefined) {
    throw new CancelledError();
  }
  return chosen.run;
}

function toItem(run: Run): RunItem {
  const models = (run.lead.models ?? []).map(([model]) => model);
  return {
    label: nameOf(run),
    description: join(' · ', ageOf(run), modelWords(models)),
    detail: toLabel(run.submissions.map(({ batchId = '' }) => batchId).join(', '), 120),
    run,
  };
}

function nameOf({ source }: Run): string {
  return toLabel(vscode.Uri.parse(source).path.split('/').at(-1) ?? source, 80);
}

function ageOf({ startedAt }: Run): string {
  return describeSince(startedAt, { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
}
