import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from './eventually';

/** Files of a folder of the workspace that the tests of one `describe` have for themselves. */
export interface OwnFiles {
  /** Path of a file. */
  at(name: string): string;
  write(name: string, text: string): vscode.Uri;
  /** The text of a file as it stands on disk. */
  read(name: string): string;
  /** Writes a file and shows it in the first column. */
  open(name: string, text: string): Promise<vscode.TextDocument>;
}

/**
 * The active extension for the tests of the surrounding `describe`, and a folder in the workspace that only they use: VS Code can
 * still hold a file of that name that others had open. After each test nothing is open any more.
 */
export function useExtension(folderName: string): OwnFiles {
  const at = (name: string) => path.join(workspaceFolder(), folderName, name);
  const files: OwnFiles = {
    at,
    write(name, text) {
      writeFileSync(at(name), text);
      return vscode.Uri.file(at(name));
    },
    read: name => readFileSync(at(name), 'utf8'),
    async open(name, text) {
      const document = await vscode.workspace.openTextDocument(files.write(name, text));
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      return document;
    },
  };
  before('activate the extension', async () => {
    mkdirSync(at(''), { recursive: true });
    await vscode.extensions.getExtension('managed-agents.managed-agents')?.activate();
  });
  afterEach('close what is open', closeEditors);
  after('remove the files', () => rmSync(at(''), { recursive: true, force: true }));
  return files;
}

/** The folder that is open. */
export function workspaceFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
}

/** Closes all editors, drops what was not saved, and clears notifications. */
export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('notifications.clearAll');
  await eventually(async () => {
    // In a test VS Code refuses to ask what to do with them.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    return vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
  });
}

/** Sets a setting of the user while `act` runs. */
export async function withSetting(name: string, value: unknown, act: () => Promise<void>): Promise<void> {
  const set = async (to: unknown) => await vscode.workspace.getConfiguration().update(name, to, vscode.ConfigurationTarget.Global);
  await set(value);
  try {
    await act();
  } finally {
    await set(undefined);
  }
}
