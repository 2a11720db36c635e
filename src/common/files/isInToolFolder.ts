import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { withoutEnd } from '../../shared/trim';

/** `.git` and `.vscode`, and the short names of Windows for them: `GIT~1`, `VSCODE~1`, `GI7D29~1`. */
const toolFolder = /^(?:\.(?:git|vscode)|(?:git|vscode)~\d+|(?:gi|vs)[\da-f]{4}~\d+)$/;

/**
 * Returns whether some file system resolves a name to `.git` or `.vscode`, whose files tools run or obey: in another case, with invisible
 * characters, as a short name, with trailing dots and spaces, or followed by a stream name.
 */
export function isToolFolder(name: string): boolean {
  const [plain = ''] = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split(':');
  return toolFolder.test(withoutEnd(plain.toLowerCase(), '. '));
}

/** Whether a path leads into a folder whose files tools run or obey by themselves, by its name or through a link. */
export async function isInToolFolder(file: string): Promise<boolean> {
  const folder = path.dirname(file);
  // What is not there yet is no link.
  const real = await realpath(folder).catch(() => '');
  return [...file.split(/[\\/]/).slice(0, -1), ...real.split(/[\\/]/)].some(isToolFolder);
}
