import { lstat, realpath, stat } from 'node:fs/promises';

/** Characters with a special meaning in some program or shell: other separators, drives, streams, variables, encodings. */
const ambiguous = /[\\:$%`\p{Cc}]/u;
const longest = 4096;

/** Returns the names in a path. Returns `undefined` if the path may lead elsewhere through `..`, a home folder, or special characters. */
function namesIn(path: string): readonly string[] | undefined {
  if (path === '' || path.length > longest || ambiguous.test(path) || path.startsWith('~') || path.trim() !== path) {
    return undefined;
  }
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  // Behind a link, `a/..` can be any folder. Some systems drop spaces and dots at the end of a name.
  return names.some(name => /^\.[. ]*$/.test(name) || name.endsWith(' ')) ? undefined : names;
}

/** Returns whether a rule can be made for a folder. The folder must have a name and an unambiguous path. */
export function canBeFolder(folder: string): boolean {
  return (namesIn(folder)?.length ?? 0) > 0;
}

/**
 * Returns whether the text of a path proves that the path is the folder or inside it. Both paths must be absolute, or both relative. Never
 * true for ambiguous paths or paths with `..`.
 */
export function isInFolder(path: string, folder: string): boolean {
  const [names, outer] = [namesIn(path), namesIn(folder)];
  if (names === undefined || outer === undefined || outer.length === 0 || path.startsWith('/') !== folder.startsWith('/')) {
    return false;
  }
  return outer.every((name, index) => names[index] === name);
}

/** Extensions of files that a system or shell runs, or loads into a program. Source files (`.js`, `.py`) are not included. */
const executable =
  /\.(?:app|appimage|bash|bat|bin|cmd|com|command|cpl|csh|deb|desktop|dll|dylib|exe|fish|hta|jar|ksh|lnk|msi|node|out|pkg|ps1|psd1|psm1|pyz|reg|rpm|run|scr|service|sh|so|url|vbe|vbs|wasm|wsf|zsh)$/i;

/**
 * Returns whether a rule that allows a folder may allow this path in it. False if a name below the folder starts with a dot (`.git`,
 * `.vscode`, `.env`) or may be the short name of such a file (`GIT~1`). Also false if the file is executable by its name, or has no
 * extension: `gradlew`, `Makefile`, `bin/run`. Only a rule that names such a file can allow it. Both paths must have passed `isInFolder`.
 */
export function isOrdinaryFile(path: string, folder: string): boolean {
  const inner = (namesIn(path) ?? []).slice(namesIn(folder)?.length);
  const last = inner.at(-1);
  // Some systems drop trailing dots of a name.
  return last === undefined || (inner.every(name => !/^\.|~/.test(name)) && /[^.]\.[^.]+$/.test(last) && !executable.test(last));
}

/**
 * Returns whether, as far as this machine knows, no link leads a path out of its folder or to an executable file. Links and modes are
 * checked only if the folder exists here. Otherwise the agent works on another machine. Both paths must have passed `isInFolder`.
 */
export async function staysInFolder(path: string, folder: string): Promise<boolean> {
  if (!folder.startsWith('/')) {
    return true;
  }
  let real: string;
  try {
    real = await realpath(folder);
  } catch (error) {
    return isMissing(error) && !(await isThere(folder));
  }
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  for (let count = names.length; count > 0; count--) {
    const ancestor = `/${names.slice(0, count).join('/')}`;
    try {
      const found = await realpath(ancestor);
      return found === real || (found.startsWith(`${real}/`) && !(await isExecutable(found)));
    } catch (error) {
      // A broken link is unsafe, because writing through it creates its target.
      if (!isMissing(error) || (await isThere(ancestor))) {
        return false;
      }
    }
  }
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  const stats = await stat(path);
  return stats.isFile() && (stats.mode & 0o111) !== 0;
}

/** Returns whether a file, folder or link exists, even a broken link. If this can't be determined, returns true. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
