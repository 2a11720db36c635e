import * as vscode from 'vscode';
import { showInformation, showWarning } from '../../../../common/asking/notifications';
import { CancelledError } from '../../../../common/cancellation';
import type { ResourceFlow } from '../../resourceFlow';
import { describeDone } from './storePlan';

/** Memories or files that go at one go, at most. */
export const mostFiles = 2_000;

/** Asks for a folder of this machine. Throws a `CancelledError` without one. */
export async function askFolder(title: string, openLabel: string): Promise<string> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const dialog = { title, openLabel, canSelectFiles: false, canSelectFolders: true, ...(defaultUri && { defaultUri }) };
  const [chosen] = (await vscode.window.showOpenDialog(dialog)) ?? [];
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Only folders on the disk of this machine can be used.'));
  }
  return chosen.fsPath;
}

/** Shows what would be done, to read. */
export async function showPlan({ files }: ResourceFlow, name: string, text: string): Promise<void> {
  const uri = files.snapshot(`${name}.txt`, text);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

/** Tells what was done, and of each that failed why. */
export function tellDone(done: number, asked: number, failures: readonly string[]): void {
  const message = describeDone(done, asked, failures, vscode.l10n.t);
  void (done === asked ? showInformation(message) : showWarning(message));
}
