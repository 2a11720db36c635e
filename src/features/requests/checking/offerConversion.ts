import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import { toLabel } from '../../../shared/text';
import { firstLines, readFirstLines, toFileName } from '../documents/requestFile';

/** Whether a file, as it stands in its editor or else on disk, holds requests in another form. */
export async function isInAnotherForm(uri: vscode.Uri): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  return needsConversion(open !== undefined ? firstLines(open) : uri.scheme === 'file' ? await readFirstLines(uri.fsPath) : []);
}

/** Offers to convert a file that holds requests in another form; settles when that was answered. Does nothing for other files. */
export async function offerConversion(uri: vscode.Uri): Promise<void> {
  if (!(await isInAnotherForm(uri))) {
    return;
  }
  const convert = vscode.l10n.t('Convert...');
  const message = vscode.l10n.t(
    '{0} has requests in a format that a batch cannot take. Convert them to a new file?',
    toLabel(toFileName(uri), 80),
  );
  if ((await showWarning(message, convert)) === convert) {
    await runCommand('managedAgents.file.convert', uri);
  }
}
