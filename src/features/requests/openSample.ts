import { constants, copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../common/asking/askSteps';
import { askFolder, exists } from '../../common/asking/newFile';
import { CancelledError } from '../../common/cancellation';

/** Files of a sample. They share a name and differ in their extensions. */
interface Sample {
  readonly stem: string;
  readonly endings: readonly [string, ...string[]];
}

/**
 * Opens a copy of a sample in the workspace's only folder or in a folder that the user chooses. Never overwrites a file. Without a folder,
 * a request file opens as an untitled document, and the user chooses a folder for rows and their template. Rejects with `CancelledError` if
 * the user cancels. `preview` shows the requests that a template builds from rows.
 */
export async function openSample(
  extensionUri: vscode.Uri,
  preview: (template: vscode.Uri, rows: vscode.Uri) => Promise<void>,
): Promise<void> {
  const samples = vscode.Uri.joinPath(extensionUri, 'media', 'samples').fsPath;
  const sample = await askSample();
  const [ending, templateEnding] = sample.endings;
  const ask = async () => vscode.Uri.file(await askFolder(vscode.l10n.t('Select a folder'), vscode.l10n.t('Copy Here')));
  const folder = (await chooseFolder()) ?? (templateEnding === undefined ? undefined : await ask());
  if (folder === undefined) {
    const content = await readFile(path.join(samples, sample.stem + ending), 'utf8');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'jsonl', content }));
    return;
  }
  const copies = await copyTo(folder, samples, sample);
  for (const copy of copies) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(copy), { preview: false });
  }
  const [rows, template] = copies;
  if (rows !== undefined && template !== undefined) {
    await preview(template, rows);
  }
}

async function askSample(): Promise<Sample> {
  const { t } = vscode.l10n;
  const requests = (stem: string, detail: string): Choice<Sample> => ({
    label: `${stem}.jsonl`,
    detail,
    value: { stem, endings: ['.jsonl'] },
  });
  return await askChoice({
    title: t('Samples'),
    placeholder: t('Select a sample'),
    choices: [
      requests('questions', t('Various requests')),
      requests('bare-params', t('Params without IDs')),
      requests('with-problems', t('Requests with errors')),
      separator(t('Rows and a template')),
      {
        label: 'reviews.csv',
        detail: t('Rows and a template'),
        value: { stem: 'reviews', endings: ['.csv', '.batch-template.json'] },
      },
    ],
  });
}

/** Returns the workspace's folder. If there are several folders, the user chooses. Returns `undefined` if there is no folder. */
async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
  if (folders.length < 2) {
    return folders[0]?.uri;
  }
  const chosen = await vscode.window.showWorkspaceFolderPick({ placeHolder: vscode.l10n.t('Select a folder') });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.uri;
}

/** Copies all files of a sample under the first unused name, and returns the copies. */
async function copyTo(folder: vscode.Uri, samples: string, { stem, endings }: Sample): Promise<readonly vscode.Uri[]> {
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? stem : `${stem}-${copy}`;
    const targets = endings.map(ending => path.join(folder.fsPath, name + ending));
    if (!(await Promise.all(targets.map(exists))).includes(true)) {
      // `COPYFILE_EXCL` fails if another program has created the file meanwhile.
      await Promise.all(
        targets.map((target, at) => copyFile(path.join(samples, stem + (endings[at] ?? '')), target, constants.COPYFILE_EXCL)),
      );
      return targets.map(target => vscode.Uri.file(target));
    }
  }
}
