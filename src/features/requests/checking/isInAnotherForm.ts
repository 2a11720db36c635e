import * as vscode from 'vscode';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import { firstLines, readFirstLines } from '../documents/requestFile';

/** Returns whether a file, in its editor or else on disk, has requests in another format. */
export async function isInAnotherForm(uri: vscode.Uri): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
  return needsConversion(open !== undefined ? firstLines(open) : uri.scheme === 'file' ? await readFirstLines(uri.fsPath) : []);
}
