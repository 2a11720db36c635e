import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventually } from './eventually';

/** Files in a folder of the workspace that only the tests of one `describe` use. */
export interface OwnFiles {
  /** Path of a file. */
  at(name: string): string;
  write(name: string, text: string): vscode.Uri;
  /** Returns the text of a file on disk. */
  read(name: string): string;
  /** Writes a file and shows it in the first column. */
  open(name: string, text: string): Promise<vscode.TextDocument>;
}

/**
 * Provides the active extension for the tests of the surrounding `describe`, and a workspace folder that only they use. In a shared folder,
 * VS Code could still have another test's file with the same name open. Closes everything after each test.
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

/** Returns the open folder. */
export function workspaceFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
}

/** Closes all editors, discards unsaved changes, and clears notifications. */
export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('notifications.clearAll');
  await eventually(async () => {
    // Reverts each document, because VS Code can't ask about unsaved changes in a test.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    return vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
  });
}

/** Changes a user setting while `act` runs. */
export async function withSetting(name: string, value: unknown, act: () => Promise<void>): Promise<void> {
  const set = async (to: unknown) => await vscode.workspace.getConfiguration().update(name, to, vscode.ConfigurationTarget.Global);
  await set(value);
  try {
    await act();
  } finally {
    await set(undefined);
  }
}
