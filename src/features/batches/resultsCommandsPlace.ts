import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../common/cancellation';
import { toLabel } from '../../common/text';
import { fileNameOf, freeName, type SiblingKind, siblingName } from './resultsCommandsNames';
import type { Submission } from './submission';

/**
 * Where the joined results of a submission go: where they went before, else `<name>.results.jsonl` beside the source, else,
 * when that folder is not there or cannot be written to, where the user says. A file that was not written from this batch is
 * replaced only when the user says so. Throws a `CancelledError` when the user turns back.
 */
export async function placeForResults(submission: Submission): Promise<string> {
  const earlier = submission.results?.joinedPath;
  if (earlier !== undefined && (await canWriteTo(path.dirname(earlier)))) {
    return earlier;
  }
  const beside = besideSource(submission);
  if (beside === undefined || !(await canWriteTo(path.dirname(beside)))) {
    return await askWhere(siblingName(fileNameOf(submission.source), 'results'), vscode.l10n.t('Save the Results'));
  }
  if (!(await exists(beside))) {
    return beside;
  }
  const replace = vscode.l10n.t('Replace');
  const saveAs = vscode.l10n.t('Save As...');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} exists already. Replace it with the results of this batch?', toLabel(path.basename(beside), 80)),
    { modal: true, detail: vscode.l10n.t('It holds something else, such as the results of an earlier batch: {0}', toLabel(beside, 500)) },
    replace,
    saveAs,
  );
  if (choice === replace) {
    return beside;
  }
  if (choice === saveAs) {
    return await askWhere(path.basename(beside), vscode.l10n.t('Save the Results'), path.dirname(beside));
  }
  throw new CancelledError();
}

/** A new file `<name>.retry.jsonl` beside the source, numbered when there is one; else where the user says. */
export async function placeForRetry({ source }: Submission): Promise<string> {
  return await placeBeside(vscode.Uri.parse(source), 'retry', vscode.l10n.t('Save the Failed Requests'));
}

/** A new file `<name>.<kind>.jsonl` beside a file, numbered when there is one; else where the user says. */
export async function placeBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const folder = file.scheme === 'file' ? path.dirname(file.fsPath) : undefined;
  const name = siblingName(fileNameOf(file.toString()), kind);
  if (folder !== undefined && (await canWriteTo(folder))) {
    return path.join(folder, await freeName(name, taken => exists(path.join(folder, taken))));
  }
  return await askWhere(name, title);
}

/** Asks for a file; the dialog itself asks before an existing one is replaced. Throws a `CancelledError` without an answer. */
export async function askWhere(name: string, title: string, folder?: string): Promise<string> {
  const base = folder === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(folder);
  const chosen = await vscode.window.showSaveDialog({
    title,
    defaultUri: base === undefined ? undefined : vscode.Uri.joinPath(base, name),
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl'] },
  });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Results can be written to the disk of this machine only.'));
  }
  return chosen.fsPath;
}

/** Whether there is a file. */
export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}

function besideSource(submission: Submission): string | undefined {
  const uri = vscode.Uri.parse(submission.source);
  return uri.scheme === 'file' ? path.join(path.dirname(uri.fsPath), siblingName(path.basename(uri.fsPath), 'results')) : undefined;
}

async function canWriteTo(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
