import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../common/asking/askSteps';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { describeSince } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { BatchReference, RunReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import {
  type ChosenResults,
  type ChosenRuns,
  chosenResultsOf,
  finalResultsOf,
  generationsOf,
  isMerged,
  type Run,
  resultsOf,
  resultsOfSource,
  runOf,
  runOfForeign,
  type SubmissionRegistry,
  toRuns,
} from '../ledger';
import { nameOfResults } from './batchPresentation';
import { runOfPart } from './runRow';
import { namesAmong } from './sourceNames';

type Registry = Pick<SubmissionRegistry, 'all' | 'reload' | 'findByBatch'>;
type Chosen = ChosenResults | undefined;
type Target = RunReference | BatchReference | vscode.Uri | undefined;

/**
 * Returns the run of a command. This is the run of the command's argument, or a run that the user selects. The list has the runs that
 * `fits` accepts, newest first. Runs of the active file are on top. Throws a `NothingToDoError` if no run fits, and a `CancelledError` if
 * the user cancels.
 */
export async function chooseRun(registry: Registry, target: Target, question: string, fits: (run: Run) => boolean): Promise<Run> {
  const toChoices = (runs: readonly Run[]) => runs.filter(fits).map(run => ({ run, withRetries: false }));
  const { run } = await choose(registry, target, question, fits, toChoices);
  return run;
}

/** Returns the run to retry, and the file of the oldest run in its family. */
export async function chooseRunToRetry(registry: Registry, target: Target): Promise<{ readonly file: vscode.Uri; readonly runId: string }> {
  const runs = () => toRuns(registry.all());
  const run = await chooseRun(registry, target, vscode.l10n.t('Select a batch'), one => finalResultsOf(runs(), one) !== undefined);
  const [root = run] = generationsOf(runs(), run);
  return { file: vscode.Uri.parse(root.source), runId: run.id };
}

/** Opens the file of a run and shows the run's results at its lines until newer results arrive. */
export async function showAtLines(registry: Registry, chosenRuns: ChosenRuns, target: Target): Promise<void> {
  const run = await chooseRun(registry, target, vscode.l10n.t('Select a run'), one => resultsOf(one) !== undefined);
  const all = registry.all();
  const isNewest = resultsOfSource(all, run.source)?.run.id === run.id;
  await chosenRuns.choose(all, run.source, isNewest ? undefined : run.id);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(run.source));
}

/**
 * Returns the run of a reference, or a run without a source for a batch created elsewhere. Throws a `NothingToDoError` if the run no longer
 * exists.
 */
export async function findRun(registry: Registry, target: BatchReference | RunReference, t: Translate): Promise<Run> {
  await registry.reload();
  const all = registry.all();
  const runId = runIdOf(target);
  if (!('batchId' in target) || runId !== undefined) {
    const run = toRuns(all).find(({ id }) => id === runId);
    if (run === undefined) {
      throw new NothingToDoError(t('This run is no longer on this machine.'));
    }
    return run;
  }
  const submission = registry.findByBatch(target.connection, target.batchId);
  return (submission && runOf(all, submission)) ?? runOfForeign(target.connection, target.batchId);
}

/** Returns the run of a reference, or only one part of it if the reference names a batch. */
export async function findPart(registry: Registry, target: BatchReference | RunReference, t: Translate): Promise<Run> {
  const run = await findRun(registry, target, t);
  const isPart = 'batchId' in target && runIdOf(target) === undefined && run.parts > 1;
  const part = isPart ? run.submissions.find(({ batchId }) => batchId === target.batchId) : undefined;
  return part === undefined ? run : runOfPart(run, part);
}

/** Returns the run ID of a reference. A batch reference has a run ID if it refers to the whole run. */
function runIdOf(target: BatchReference | RunReference): string | undefined {
  return 'runId' in target ? target.runId : undefined;
}

/** Returns the fetched results of a run, or of a file with its retries merged. The user selects them as in `chooseRun`. */
export async function chooseResults(registry: Registry, target: Target, question: string): Promise<ChosenResults> {
  return await choose(registry, target, question, run => resultsOf(run) !== undefined, toResultChoices);
}

/** Returns all choices of results in the order of `runs`. The merged results of a family follow the results of its oldest run. */
export function toResultChoices(runs: readonly Run[]): readonly ChosenResults[] {
  return runs.flatMap(run => [
    ...(resultsOf(run) === undefined ? [] : [{ run, withRetries: false }]),
    ...(run.lead.merged === undefined ? [] : [{ run, withRetries: true }]),
  ]);
}

async function choose(
  registry: Registry,
  target: Target,
  question: string,
  fits: (run: Run) => boolean,
  toChoices: (runs: readonly Run[]) => readonly ChosenResults[],
): Promise<ChosenResults> {
  await registry.reload();
  const runs = toRuns(registry.all());
  const none = vscode.l10n.t('No matching run on this machine. Create a batch, or fetch its results first.');
  if (target !== undefined) {
    const found = find(registry, runs, target, fits);
    if (found === undefined) {
      throw new NothingToDoError(none);
    }
    return found;
  }
  const fitting = runs.filter(run => toChoices([run]).length > 0);
  const isShown = isOfFile(runs, shownFile());
  const [ofShown, others] = [fitting.filter(isShown), fitting.filter(run => !isShown(run))];
  const toItem = toChosenItems(runs);
  const toItems = (some: readonly Run[]) => toChoices(some).map(toItem);
  const choices =
    ofShown.length === 0
      ? toItems(others)
      : [
          separator(vscode.l10n.t('Active file')),
          ...toItems(ofShown),
          ...(others.length === 0 ? [] : [separator(vscode.l10n.t('Others'))]),
          ...toItems(others),
        ];
  return await askChoice({ title: vscode.l10n.t('Batches'), placeholder: question, choices, none });
}

/** Returns a function that creates picker items for results, with their name and age. */
export function toChosenItems(runs: readonly Run[]): (choice: ChosenResults) => Choice<ChosenResults> & { readonly description: string } {
  const nameOf = namesAmong(runs);
  const context = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now(), nameOf };
  return choice => ({
    label: toLabel(nameOfResults(choice, runs, context), 120),
    description: describeSince(choice.run.startedAt, context),
    detail: toLabel(choice.run.submissions.map(({ batchId = '' }) => batchId).join(', '), 120),
    value: choice,
  });
}

/** Returns a predicate for the runs that were sent from a file, or whose results are in the file. */
export function isOfFile(runs: readonly Run[], file: ReturnType<typeof shownFile>): (run: Run) => boolean {
  return run =>
    file !== undefined && (run.source === file.uri || (file.path !== undefined && finalResultsOf(runs, run)?.filePath === file.path));
}

/** Returns the file of the active text editor or custom editor. */
function shownFile() {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri && { uri: uri.toString(), path: uri.scheme === 'file' ? uri.fsPath : undefined };
}

function find(registry: Registry, runs: readonly Run[], target: NonNullable<Target>, fits: (run: Run) => boolean): Chosen {
  // Merged results belong to the oldest run of a family.
  const toChoice = (run: Run | undefined, withRetries: boolean) =>
    run && { run: withRetries ? (generationsOf(runs, run)[0] ?? run) : run, withRetries };
  if ('batchId' in target && target.source !== undefined) {
    return find(registry, runs, vscode.Uri.parse(target.source), fits);
  }
  if ('runId' in target) {
    return toChoice(
      runs.find(({ id }) => id === target.runId),
      target.withRetries === true,
    );
  }
  if ('batchId' in target) {
    const submission = registry.findByBatch(target.connection, target.batchId);
    return toChoice(submission && runOf(registry.all(), submission), false);
  }
  const source = target.toString();
  const shown = resultsOfSource(registry.all(), source);
  const ofFile = shown !== undefined && fits(shown.run) ? shown.run : runs.find(run => run.source === source && fits(run));
  if (ofFile !== undefined) {
    return toChoice(ofFile, shown?.run.id === ofFile.id && isMerged(shown.results));
  }
  return toResultChoices(runs).find(
    choice => target.scheme === 'file' && chosenResultsOf(runs, choice)?.filePath === target.fsPath && fits(choice.run),
  );
}
