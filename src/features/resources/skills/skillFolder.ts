import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { askChoice } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { isToolFolder } from '../../../common/files/isInToolFolder';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { manifestName } from '../../../contract/skillRules';
import { toLabel } from '../../../shared/text';

/** Maximum number of files to read in a folder, and maximum depth of its subfolders. */
const maxFiles = 1000;
const deepest = 20;
/** Names of folders and files that are never part of a skill, in addition to the folders of `isToolFolder`. */
const neverSent: ReadonlySet<string> = new Set([
  ...['.hg', '.svn', '.idea', 'node_modules', '__pycache__', '.venv', '.pytest_cache', '.mypy_cache'],
  ...['.DS_Store', 'Thumbs.db', 'desktop.ini'],
]);

/** File in a folder with a `SKILL.md`. */
export interface FolderFile {
  /** Path relative to the folder, with `/` as separator. */
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly bytes: number;
  /** Text that changes whenever the file changes. */
  readonly state: string;
}

/** Content of a folder with a `SKILL.md`. */
export interface SkillFolder {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** Files sorted by path, but `SKILL.md` comes first. */
  readonly files: readonly FolderFile[];
  /** Paths of links and of files that are never sent. */
  readonly leftOut: readonly string[];
  /** False if files were skipped because the folder exceeds the maximum number or depth. */
  readonly isWhole: boolean;
}

/** Returns whether a document is the `SKILL.md` of a folder on the local disk. */
export function isManifest({ scheme, path: name }: vscode.Uri): boolean {
  return scheme === 'file' && name.endsWith(`/${manifestName}`);
}

/** Lists the files of a folder. Never follows links, because they can lead anywhere. */
export async function readSkillFolder(uri: vscode.Uri): Promise<SkillFolder> {
  const files: FolderFile[] = [];
  const leftOut: string[] = [];
  let isWhole = true;
  const read = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(path.join(uri.fsPath, below), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (files.length >= maxFiles || depth > deepest) {
        isWhole = false;
        return;
      }
      if (isToolFolder(entry.name) || neverSent.has(entry.name) || !(entry.isFile() || entry.isDirectory())) {
        leftOut.push(name);
      } else if (entry.isDirectory()) {
        await read(name, depth + 1);
      } else {
        const { size, mtimeMs } = await stat(path.join(uri.fsPath, name));
        files.push({ path: name, uri: vscode.Uri.joinPath(uri, ...name.split('/')), bytes: size, state: `${mtimeMs} ${size}` });
      }
    }
  };
  await read('', 0);
  const rank = (file: FolderFile) => (file.path === manifestName ? 0 : 1);
  return { uri, name: fileNameOf(uri), files: files.sort((a, b) => rank(a) - rank(b)), leftOut, isWhole };
}

const maxChoices = 500;

/**
 * Returns the folder of a skill. This is the folder that contains the given file or the file in the editor, or a folder of the workspace
 * that the user chooses.
 */
export async function chooseSkillFolder(given: vscode.Uri | undefined): Promise<vscode.Uri> {
  const near = given ?? activeUri();
  const found = near === undefined ? undefined : await folderAbove(near);
  if (found !== undefined) {
    return found;
  }
  const manifests = given === undefined ? await vscode.workspace.findFiles(`**/${manifestName}`, '**/node_modules/**', maxChoices) : [];
  if (manifests.length === 0) {
    throw new Error(vscode.l10n.t('No folder with a SKILL.md was found.'));
  }
  const choices = manifests
    .map(uri => vscode.Uri.joinPath(uri, '..'))
    .map(value => ({
      label: withoutIcons(toLabel(fileNameOf(value), 80)),
      description: withoutIcons(toLabel(vscode.workspace.asRelativePath(value), 200)),
      value,
    }))
    .sort((a, b) => a.description.localeCompare(b.description));
  return await askChoice({ title: vscode.l10n.t('Skill'), placeholder: vscode.l10n.t('Select a folder'), choices });
}

/** Returns the nearest folder with a `SKILL.md`. This is the given folder or a parent folder, up to the workspace folder. */
async function folderAbove(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (uri.scheme !== 'file') {
    return undefined;
  }
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
  for (let folder = uri.fsPath; isWithin(root, folder); folder = path.dirname(folder)) {
    if (await exists(path.join(folder, manifestName))) {
      return vscode.Uri.file(folder);
    }
    if (path.dirname(folder) === folder) {
      return undefined;
    }
  }
  return undefined;
}

function isWithin(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}
