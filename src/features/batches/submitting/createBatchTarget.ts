import { open } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { chooseFile } from '../../../common/asking/chooseFile';
import { CancelledError } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import { submissionFiles } from '../../ledger';
import { isInAnotherForm, readDocument, unsavedDocument } from '../../requests';

/** The bytes to check and send: a file as it stands on disk, or a copy of what stands in the editor. */
export interface SubmitContent {
  readonly path: string;
  readonly fromEditor: boolean;
}

/**
 * The file a batch is created from, or that is checked: the one given, else the active editor's, else the active tab's (custom editors, files
 * too big for extensions), else the user's choice, which may be to convert what is shown. Throws a `CancelledError` when none is chosen.
 */
export async function chooseTarget(given: vscode.Uri | undefined, isToSend: boolean): Promise<vscode.Uri> {
  const toConvert = given === undefined ? await activeToConvert() : undefined;
  const chosen = await chooseFile(given, {
    ...(isToSend
      ? { question: vscode.l10n.t('Select a request file'), openLabel: vscode.l10n.t('Create Batch') }
      : { question: vscode.l10n.t('Select a request file'), openLabel: vscode.l10n.t('Check') }),
    fits: uri => !/\.results\.jsonl$/i.test(uri.path),
    first: toConvert && { label: `$(replace-all) ${vscode.l10n.t('Convert {0}...', toLabel(nameOf(toConvert), 80))}`, uri: toConvert },
  });
  if (toConvert !== undefined && chosen === toConvert) {
    await runCommand('managedAgents.file.convert', toConvert);
    throw new CancelledError();
  }
  return chosen;
}

/** The JSON document that is shown, when it holds requests in another form. */
async function activeToConvert(): Promise<vscode.Uri | undefined> {
  const active = activeUri();
  return active !== undefined && /\.json$/i.test(active.path) && (await isInAnotherForm(active).catch(() => false)) ? active : undefined;
}

/**
 * Where the bytes of a target are. What is unsaved, or stands nowhere on disk, is copied into `folder()`, which is asked
 * for only then. Throws a sentence for the user when the bytes cannot be had.
 */
export async function readContent(uri: vscode.Uri, folder: () => Promise<string>): Promise<SubmitContent> {
  const document = await unsavedDocument(uri);
  if (document === undefined) {
    return { path: uri.fsPath, fromEditor: false };
  }
  const copy = path.join(await folder(), submissionFiles.editorCopy);
  const file = await open(copy, 'wx', 0o600);
  try {
    for await (const piece of readDocument(document, vscode.l10n.t('{0} was edited while it was read. Try again.', nameOf(uri)))) {
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  return { path: copy, fromEditor: true };
}

/** The file name of a URI, for people. */
export function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}
