import * as vscode from 'vscode';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import { firstLines, readFirstLines } from '../documents/requestFile';

/** Whether a file, as it stands in its editor or else on disk, holds requests in another form. */
export async function isInAnotherForm(uri: vscode.Uri): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  return needsConversion(open !== undefined ? firstLines(open) : uri.scheme === 'file' ? await readFirstLines(uri.fsPath) : []);
}
