import path from 'node:path';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { chooseFile } from '../../../common/asking/chooseFile';
import { CancelledError } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { toLabel } from '../../../shared/text';
import { submissionFiles } from '../../ledger';
import { isInAnotherForm, unsavedDocument, writeSnapshot } from '../../requests';

/** Source of the bytes to check and send: a file on disk, or a copy of the editor's text. */
export interface SubmitContent {
  readonly path: string;
  readonly fromEditor: boolean;
}

/**
 * Returns the file to check or create a batch from. Returns the given file, the file of the active editor or tab, or a file that the user
 * selects. The active tab is used for custom editors, and for files that are too big for extensions. The user may choose to convert the
 * active document instead. Throws a `CancelledError` if no file is chosen.
 */
export async function chooseTarget(given: vscode.Uri | undefined, isToSend: boolean): Promise<vscode.Uri> {
  const toConvert = given === undefined ? await activeToConvert() : undefined;
  const chosen = await chooseFile(given, {
    ...(isToSend
      ? { question: vscode.l10n.t('Select a request file'), openLabel: vscode.l10n.t('Create Batch') }
      : { question: vscode.l10n.t('Select a request file'), openLabel: vscode.l10n.t('Check') }),
    fits: uri => !/\.results\.jsonl$/i.test(uri.path),
    first: toConvert && { label: `$(replace-all) ${vscode.l10n.t('Convert {0}...', toLabel(fileNameOf(toConvert), 80))}`, uri: toConvert },
  });
  if (toConvert !== undefined && chosen === toConvert) {
    await runCommand('managedAgents.file.convert', toConvert);
    throw new CancelledError();
  }
  return chosen;
}

async function activeToConvert(): Promise<vscode.Uri | undefined> {
  const active = activeUri();
  return active !== undefined && /\.json$/i.test(active.path) && (await isInAnotherForm(active).catch(() => false)) ? active : undefined;
}

/**
 * Returns the location of a target's bytes. Text that is unsaved or not on disk is copied into `folder()`. `folder` is called only for such
 * text. Throws an error for the user if the bytes can't be read.
 */
export async function readContent(uri: vscode.Uri, folder: () => Promise<string>): Promise<SubmitContent> {
  const document = await unsavedDocument(uri);
  if (document === undefined) {
    return { path: uri.fsPath, fromEditor: false };
  }
  const copy = path.join(await folder(), submissionFiles.editorCopy);
  await writeSnapshot(document, copy);
  return { path: copy, fromEditor: true };
}
