import path from 'node:path';
import * as vscode from 'vscode';
import { askWhere, canWriteTo, exists, freeNameBeside, placeForNewFile, writableFolderOf } from '../../../common/newFile';
import { toLabel } from '../../../common/text';
import type { FetchedResults, Submission } from '../ledger/submission';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';
import { fileNameOf, type SiblingKind, siblingName } from './siblingNames';

/**
 * Where the joined results of a submission go: where they went before, else `<name>.results.jsonl` beside the source, else,
 * when that folder is not there or cannot be written to, where the user says. A file that was not written from this batch is
 * replaced only when the user says so. Throws a `CancelledError` when the user turns back.
 */
export async function placeForResults(registry: Pick<SubmissionRegistry, 'all'>, submission: Submission): Promise<string> {
  const { source } = submission;
  const earlier = earlierPlace(registry, submission);
  if (earlier !== undefined && (await canWriteTo(path.dirname(earlier)))) {
    return earlier;
  }
  const name = siblingName(fileNameOf(source), 'results');
  return await placeForNewFile({
    beside: vscode.Uri.parse(source),
    name,
    title: vscode.l10n.t('Save the Results'),
    question: vscode.l10n.t('{0} exists already. Replace it with the results of this batch?', toLabel(name, 80)),
    explanation: vscode.l10n.t('It holds something else, such as the results of an earlier batch:'),
  });
}

/**
 * The same without asking: a file that stands in the way stays, and where nothing can be written beside the source the results stand in the
 * submission's folder.
 */
export async function quietPlaceForResults(registry: Pick<SubmissionRegistry, 'folder' | 'all'>, submission: Submission): Promise<string> {
  const { id, source, group } = submission;
  const earlier = earlierPlace(registry, submission);
  if (earlier !== undefined && (await canWriteTo(path.dirname(earlier)))) {
    return earlier;
  }
  const { name, ext } = path.parse(siblingName(fileNameOf(source), 'results'));
  const folder = await writableFolderOf(vscode.Uri.parse(source));
  if (folder === undefined) {
    return path.join(registry.folder(id), `${name}${ext}`);
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
      return file;
    }
  }
}

/** Where the results of a submission went before; undefined also when those of another one took that name since. */
function earlierPlace(registry: Pick<SubmissionRegistry, 'all'>, { results }: Submission): string | undefined {
  return results === undefined || isReplaced(registry, results) ? undefined : results.joinedPath;
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
