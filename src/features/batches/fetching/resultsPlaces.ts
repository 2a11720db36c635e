import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, canWriteTo, exists, freeNameBeside, writableFolderOf } from '../../../common/asking/newFile';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { type Standing, stampOfFile } from '../../../jsonl/files/publishing';
import { toLabel } from '../../../shared/text';
import { type FetchedResults, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { fateOfResults } from './fateOfResults';
import { fileNameOf, type SiblingKind, siblingName } from './siblingNames';

/** Where joined results go, and what may be replaced there. */
export interface ResultsPlace {
  readonly joinedPath: string;
  readonly standing: Standing;
}

type Registry = Pick<SubmissionRegistry, 'all' | 'folder'>;

/**
 * Where the joined results of a submission go: where they went before, else a free name beside the source (`<name>.results.jsonl`), else,
 * when that folder is not there or cannot be written to, where the user says. Results of another run are never replaced; what was changed
 * since it was written only when the user says so. `indexName` is that of the index beside the submission. Throws a `CancelledError` when
 * the user turns back.
 */
export async function placeForResults(
  registry: Registry,
  submission: Submission,
  indexName: string = submissionFiles.resultsIndex,
): Promise<ResultsPlace> {
  const earlier = await earlierPlace(registry, submission, indexName);
  if (earlier !== undefined && (earlier.isOurs || (await isToReplace(earlier.place.joinedPath)))) {
    return earlier.place;
  }
  const free = await freePlace(registry, submission);
  return free ?? (await standingAt(await askWhere(nameOfResults(submission), vscode.l10n.t('Save the Results'))));
}

/** The same without asking: where nothing can be written beside the source the results stand in the submission's folder. */
export async function quietPlaceForResults(
  registry: Registry,
  submission: Submission,
  indexName: string = submissionFiles.resultsIndex,
): Promise<ResultsPlace> {
  const earlier = await earlierPlace(registry, submission, indexName);
  if (earlier?.isOurs === true) {
    return earlier.place;
  }
  const free = await freePlace(registry, submission);
  return free ?? (await standingAt(path.join(registry.folder(submission.id), nameOfResults(submission))));
}

/** Whether the user lets results that were changed since they were written be replaced. Throws a `CancelledError` for neither. */
async function isToReplace(joinedPath: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const keepBoth = t('Keep Both');
  const replace = t('Replace');
  const choice = await askModal(
    t('{0} was changed since it was written. Keep it beside the new results?', toLabel(path.basename(joinedPath), 80)),
    { detail: t('What was changed in it is lost when it is replaced. {0}', toLabel(joinedPath, 500)) },
    keepBoth,
    replace,
  );
  if (choice === undefined) {
    throw new CancelledError();
  }
  return choice === replace;
}

/** A name beside the source that nothing has; undefined when nothing can be written there. */
async function freePlace(registry: Registry, submission: Submission): Promise<ResultsPlace | undefined> {
  const { id, source, group } = submission;
  const wanted = nameOfResults(submission);
  const { name, ext } = path.parse(wanted);
  const folder = await writableFolderOf(vscode.Uri.parse(source));
  if (folder === undefined) {
    return undefined;
  }
  // Others from this file may be fetched at the same moment: none of them tries the same numbers. A group is one.
  const isRival = (other: Submission) =>
    other.source === source &&
    nameOfResults(other) === wanted &&
    other.results === undefined &&
    other.batch?.processing_status === 'ended' &&
    other.deleted !== true &&
    (other.group?.index ?? 0) === 0 &&
    (group === undefined || other.group?.id !== group.id);
  const rivals = registry
    .all()
    .filter(other => other.id === id || isRival(other))
    .map(other => `${other.startedAt} ${other.id}`)
    .sort();
  for (let number = rivals.indexOf(`${submission.startedAt} ${id}`) + 1; ; number += Math.max(1, rivals.length)) {
    const file = path.join(folder, number <= 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
    if (!(await exists(file))) {
      return { joinedPath: file, standing: { stamp: undefined } };
    }
  }
}

/** `evals.jsonl` -> `evals.results.jsonl`, of its canary `evals.canary.results.jsonl`. */
function nameOfResults({ source, selection }: Pick<Submission, 'source' | 'selection'>): string {
  const kind = selection?.purpose === 'canary' ? 'canary.results' : 'results';
  return siblingName(fileNameOf(source), kind);
}

async function standingAt(joinedPath: string): Promise<ResultsPlace> {
  return { joinedPath, standing: { stamp: await stampOfFile(joinedPath) } };
}

/**
 * Where the results of a submission went before; undefined also when those of another one took that name since, or nothing can be written
 * there. It is ours as long as nobody changed what stands there.
 */
async function earlierPlace(
  registry: Registry,
  { id, results }: Submission,
  indexName: string,
): Promise<{ readonly place: ResultsPlace; readonly isOurs: boolean } | undefined> {
  if (results === undefined || isReplaced(registry, results) || !(await canWriteTo(path.dirname(results.joinedPath)))) {
    return undefined;
  }
  const { joinedPath } = results;
  const standing = { stamp: await stampOfFile(joinedPath).catch(() => undefined) };
  const fate = await fateOfResults(results, path.join(registry.folder(id), indexName));
  return { place: { joinedPath, standing }, isOurs: fate !== 'changed' };
}

/** Whether newer results of something else took the name of a results file. */
export function isReplaced(registry: Pick<SubmissionRegistry, 'all'>, { joinedPath, fetchedAt }: FetchedResults): boolean {
  return registry
    .all()
    .flatMap(other => [other.results, other.groupResults, other.merged])
    .some(other => other?.joinedPath === joinedPath && other.fetchedAt > fetchedAt);
}

/** A new file `<name>.retry.jsonl` beside the source, numbered when there is one; else where the user says. */
export async function placeForRetry({ source }: Submission): Promise<string> {
  return await placeBeside(vscode.Uri.parse(source), 'retry', vscode.l10n.t('Save the Failed Requests'));
}

/** A new file `<name>.<kind>.jsonl` beside a file, numbered when there is one; else where the user says. */
export async function placeBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const name = siblingName(fileNameOf(file.toString()), kind);
  const { name: stem, ext } = path.parse(name);
  return (await freeNameBeside(file, stem, ext)) ?? (await askWhere(name, title));
}
