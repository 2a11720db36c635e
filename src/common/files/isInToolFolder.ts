import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { withoutEnd } from '../../shared/trim';
import type { Translate } from '../text/translate';

/** Matches `.git` and `.vscode`, and their short names on Windows: `GIT~1`, `VSCODE~1`, `GI7D29~1`. */
const toolFolder = /^(?:\.(?:git|vscode)|(?:git|vscode)~\d+|(?:gi|vs)[\da-f]{4}~\d+)$/;

/**
 * Returns whether some file system resolves a name to `.git` or `.vscode`. Tools execute or obey files in these folders. The name can have
 * another case, contain invisible characters, be a short name, have trailing dots and spaces, or be followed by a stream name.
 */
export function isToolFolder(name: string): boolean {
  const [plain = ''] = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split(':');
  return toolFolder.test(withoutEnd(plain.toLowerCase(), '. '));
}

/** Returns whether a path, with its links resolved, is in a folder whose files tools execute or obey. */
export async function isInToolFolder(file: string): Promise<boolean> {
  const real = await realFolder(path.dirname(file));
  return [...file.split(/[\\/]/).slice(0, -1), ...real.split(/[\\/]/)].some(isToolFolder);
}

/** Throws if a path is in a folder whose files tools execute or obey automatically. */
export async function refuseToolFolder(file: string, translate: Translate): Promise<void> {
  if (await isInToolFolder(file)) {
    throw new Error(translate("Can't save into .git or .vscode. Choose another folder."));
  }
}

/** Returns the real path of a folder, or of its closest parent that exists. */
async function realFolder(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return await realpath(folder).catch(() => (parent === folder ? '' : realFolder(parent)));
}
