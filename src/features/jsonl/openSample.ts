import { constants, copyFile, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';

// More copies than anyone makes; the loop must end.
const mostCopies = 1000;

/**
 * The command that opens the sample request file: a copy of it in the workspace's only folder or the one the user chooses,
 * never over a file that is there, or an untitled document when there is no folder.
 */
export async function openSample(extensionUri: vscode.Uri): Promise<void> {
  const sample = vscode.Uri.joinPath(extensionUri, 'media', 'samples', 'questions.jsonl');
  const folder = await chooseFolder();
  if (folder === undefined) {
    const content = await readFile(sample.fsPath, 'utf8');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content }));
    return;
  }
  const copy = await copyBeside(sample.fsPath, folder);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(copy));
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
  if (folders.length < 2) {
    return folders[0]?.uri;
  }
  const placeHolder = vscode.l10n.t('Choose the folder for the sample request file');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}

/** Copies under the first name that is free; the copy itself fails when another program takes the name first. */
async function copyBeside(sample: string, folder: vscode.Uri): Promise<vscode.Uri> {
  for (let copy = 1; ; copy++) {
    const target = vscode.Uri.joinPath(folder, copy === 1 ? 'questions.jsonl' : `questions-${copy}.jsonl`);
    try {
      await copyFile(sample, target.fsPath, constants.COPYFILE_EXCL);
      return target;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || copy === mostCopies) {
        throw new Error(
          vscode.l10n.t(
            'The sample request file could not be copied to {0}: {1}',
            folder.fsPath,
            error instanceof Error ? error.message : String(error),
          ),
          { cause: error },
        );
      }
    }
  }
}
