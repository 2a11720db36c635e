import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { readSetting } from '../../../common/settings';
import { toByteSize, toLabel } from '../../../shared/text';

/** Maximum number of prompts, and maximum size of a prompt in bytes. */
const maxPrompts = 200;
const maxBytes = 100_000;

export interface Prompt {
  /** Name of the prompt's file, without `.md`. */
  readonly name: string;
  readonly detail: string;
  readonly uri: vscode.Uri;
}

/** Lists the prompts in the folders of the setting, by name. If two folders have the same name, the first folder wins. */
export async function listPrompts(): Promise<readonly Prompt[]> {
  const found = new Map<string, vscode.Uri>();
  for (const folder of promptFolders()) {
    for (const [file, type] of await entriesOf(folder)) {
      const name = file.slice(0, -'.md'.length);
      if (file.toLowerCase().endsWith('.md') && name !== '' && (type & vscode.FileType.File) !== 0 && !found.has(name)) {
        found.set(name, vscode.Uri.joinPath(folder, file));
      }
    }
  }
  const named = [...found].sort(([a], [b]) => a.localeCompare(b)).slice(0, maxPrompts);
  return await Promise.all(named.map(async ([name, uri]) => ({ name, uri, detail: await detailOf(uri) })));
}

/** Reads the text of a prompt. Rejects with a message for the user if the prompt does not exist or can't be read. */
export async function readPrompt(name: string): Promise<string> {
  const prompt = (await listPrompts()).find(one => one.name === name);
  if (prompt === undefined) {
    throw new Error(vscode.l10n.t('{0} not found', toLabel(name, 80)));
  }
  return readPromptSource(await readText(prompt.uri)).text;
}

/** Returns the folders of prompts. This is one folder in each workspace folder, or a single folder if the path is absolute. */
function promptFolders(): readonly vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const uris = [...folders.map(({ uri }) => uri), undefined].flatMap(workspace => {
    const setting = readSetting('managedAgents.sessions.promptsFolder', workspace).trim();
    if (setting === '') {
      return [];
    }
    const named = /^~(?=[\\/]|$)/.test(setting) ? path.join(os.homedir(), setting.slice(1)) : setting;
    return path.isAbsolute(named) ? [vscode.Uri.file(named)] : workspace === undefined ? [] : [vscode.Uri.joinPath(workspace, named)];
  });
  return [...new Map(uris.map(uri => [uri.toString(), uri])).values()];
}

async function entriesOf(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  return await vscode.workspace.fs.readDirectory(folder).then(undefined, (error: unknown) => {
    // Most workspaces have no such folder.
    if (error instanceof vscode.FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory')) {
      return [];
    }
    throw error;
  });
}

/** Returns the detail of a prompt file, or '' if the file can't be read. Choosing the file then shows the error. */
async function detailOf(uri: vscode.Uri): Promise<string> {
  return await readText(uri).then(
    text => toLabel(readPromptSource(text).detail, 120),
    () => '',
  );
}

async function readText(uri: vscode.Uri): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxBytes) {
    const name = toLabel(fileNameOf(uri), 80);
    throw new Error(vscode.l10n.t('{0} is too large for a prompt (limit {1}).', name, toByteSize(maxBytes, vscode.env.language)));
  }
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/**
 * Returns the text of a prompt without its front matter. `detail` is the `description` in the front matter, otherwise the first heading,
 * otherwise ''.
 */
export function readPromptSource(source: string): { readonly detail: string; readonly text: string } {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') : -1;
  const front = lines.slice(1, Math.max(1, end));
  const body = lines.slice(end + 1);
  const described = front.find(line => line.startsWith('description:'))?.slice('description:'.length) ?? '';
  const heading = body.find(line => /^#{1,6} /.test(line))?.replace(/^#+ /, '') ?? '';
  return { detail: described.trim().replace(/^"(.*)"$|^'(.*)'$/, '$1$2') || heading.trim(), text: body.join('\n').trim() };
}
