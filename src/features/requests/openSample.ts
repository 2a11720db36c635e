import { constants, copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../common/asking/askSteps';
import { askFolder } from '../../common/asking/newFile';
import { CancelledError } from '../../common/cancellation';

const maxCopies = 1000;

/** Files of a sample, which share a name and differ in their extensions. */
interface Sample {
  readonly stem: string;
  readonly endings: readonly [string, ...string[]];
}

/**
 * Opens a copy of a sample in the workspace's only folder or one that the user chooses. Never overwrites a file. Without a folder, a
 * request file opens as an untitled document, and the user chooses a folder for rows and their template. Rejects with `CancelledError` if
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
  const stem = await copyTo(folder, samples, sample);
  const open = async (name: string) => {
    const uri = vscode.Uri.joinPath(folder, name);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    return uri;
  };
  const first = await open(stem + ending);
  if (templateEnding !== undefined) {
    await preview(await open(stem + templateEnding), first);
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
      requests('questions', t('Many kinds of requests')),
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

/** Returns the workspace's folder. If there are several, the user chooses one. Returns `undefined` if there is none. */
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

/** Copies all files of a sample under the first unused name, and returns that name. */
async function copyTo(folder: vscode.Uri, samples: string, { stem, endings }: Sample): Promise<string> {
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? stem : `${stem}-${copy}`;
    const created: string[] = [];
    try {
      for (const ending of endings) {
        const target = path.join(folder.fsPath, name + ending);
        // Fails if another program has created the file in the meantime.
        await copyFile(path.join(samples, stem + ending), target, constants.COPYFILE_EXCL);
        created.push(target);
      }
      return name;
    } catch (error) {
      await Promise.all(created.map(file => rm(file, { force: true })));
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || copy === maxCopies) {
        throw new Error(vscode.l10n.t("Couldn't copy to {0}: {1}", folder.fsPath, error instanceof Error ? error.message : String(error)), {
          cause: error,
        });
      }
    }
  }
}
