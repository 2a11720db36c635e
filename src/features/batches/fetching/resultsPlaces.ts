import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, canWriteTo, exists, freeNameBeside, placeForNewFile, writableFolderOf } from '../../../common/asking/newFile';
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
 * Where the joined results of a submission go: where they went before, else `<name>.results.jsonl` beside the source, else,
 * when that folder is not there or cannot be written to, where the user says. A file that was not written from this batch, or was changed
 * since, is replaced only when the user says so. `indexName` is that of the index beside the submission. Throws a `CancelledError` when
 * the user turns back.
 */
export async function placeForResults(
  registry: Registry,
  submission: Submission,
  indexName: string = submissionFiles.resultsIndex,
): Promise<ResultsPlace> {
  const { source } = submission;
  const { t } = vscode.l10n;
  const earlier = await earlierPlace(registry, submission, indexName);
  if (earlier?.isOurs === true) {
    return earlier.place;
  }
  const name = earlier === undefined ? siblingName(fileNameOf(source), 'results') : path.basename(earlier.place.joinedPath);
  const beside = earlier === undefined ? vscode.Uri.parse(source) : vscode.Uri.file(earlier.place.joinedPath);
  const candidate = path.join(path.dirname(beside.fsPath), name);
  const standing = { stamp: await stampOfFile(candidate).catch(() => undefined) };
  const joinedPath = await placeForNewFile({
    beside,
    name,
    title: t('Save the Results'),
    ...(earlier === undefined
      ? {
          question: t('{0} exists already. Replace it with the results of this batch?', toLabel(name, 80)),
          explanation: t('It holds something else, such as the results of an earlier batch:'),
        }
      : {
          question: t('{0} was changed since it was written. Replace it with the results of this batch?', toLabel(name, 80)),
          explanation: t('What was changed in it would be lost:'),
        }),
  });
  return { joinedPath, standing: joinedPath === candidate ? standing : { stamp: await stampOfFile(joinedPath) } };
}

/**
 * The same without asking: a file that stands in the way stays, and where nothing can be written beside the source the results stand in the
 * submission's folder.
 */
export async function quietPlaceForResults(
  registry: Registry,
  submission: Submission,
  indexName: string = submissionFiles.resultsIndex,
): Promise<ResultsPlace> {
  const { id, source, group } = submission;
  const earlier = await earlierPlace(registry, submission, indexName);
  if (earlier?.isOurs === true) {
    return earlier.place;
  }
  const { name, ext } = path.parse(siblingName(fileNameOf(source), 'results'));
  const folder = await writableFolderOf(vscode.Uri.parse(source));
  if (folder === undefined) {
    const joinedPath = path.join(registry.folder(id), `${name}${ext}`);
    return { joinedPath, standing: { stamp: await stampOfFile(joinedPath) } };
  }
  // Others from this file may be fetched at the same moment: none of them tries the same numbers. A group is one.
  const isRival = (other: Submission) =>
    other.source === source &&
    other.results === undefined &&
    other.batch?.processing_status === 'ended' &&
    other.deleted !== true &&
    (other.group?.index ?? 0) === 0 &&
    (group === undefined || other.group?.id !== group.id);
  const rivals = registry
    .all()
    .filter(other => other.id === id || isRival(other))
    .map(other => other.id)
    .sort();
  for (let number = rivals.indexOf(id) + 1; ; number += Math.max(1, rivals.length)) {
    const file = path.join(folder, number <= 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
    if (!(await exists(file))) {
      return { joinedPath: file, standing: { stamp: undefined } };
    }
  }
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
