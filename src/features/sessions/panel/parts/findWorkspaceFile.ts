import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A workspace folder, as needed to search for a file. */
export interface SearchedFolder {
  readonly name: string;
  /** Names in its path, if it is a path as agents write it; otherwise `undefined`. */
  readonly names: readonly string[] | undefined;
  /** Returns whether the folder contains a file with this path, and the file is really inside it. */
  readonly holds: (names: readonly string[]) => Promise<boolean>;
}

export type WorkspaceFile<F extends SearchedFolder> =
  | { readonly type: 'found'; readonly folder: F; readonly names: readonly string[] }
  /** The folders that match equally well, so that the intended one is unknown. */
  | { readonly type: 'several'; readonly folders: readonly F[] }
  | { readonly type: 'none' };

const longest = 4096;
const maxNames = 64;

/**
 * Returns the names in a path that a model wrote. Returns `undefined` if its target is ambiguous: it has `..`, or characters with a meaning
 * on some system (other separators, drives, streams).
 */
export function toPathNames(text: string): readonly string[] | undefined {
  if (text.length > longest || /[\\:\p{Cc}]/u.test(text) || text.endsWith('/')) {
    return undefined;
  }
  const names = text.split('/').filter(name => name !== '' && name !== '.');
  const isSure = names.length > 0 && names.length <= maxNames && !names.some(name => /^\.[. ]*$/.test(name));
  return isSure ? names : undefined;
}

/**
 * Finds the workspace file for a path that an agent wrote. If the path is inside a folder, the file must be exactly there. For any other
 * path (of a container, relative), the longest suffix that a folder contains counts, if only one folder does.
 */
export async function findWorkspaceFile<F extends SearchedFolder>(text: string, folders: readonly F[]): Promise<WorkspaceFile<F>> {
  const names = toPathNames(text);
  if (names === undefined) {
    return { type: 'none' };
  }
  if (text.startsWith('/')) {
    const around = folders.filter(folder => folder.names !== undefined && isWithin(names, folder.names));
    if (around.length > 0) {
      // If folders are nested, the innermost one is used.
      const folder = around.reduce((inner, each) => ((each.names?.length ?? 0) > (inner.names?.length ?? 0) ? each : inner));
      const rest = names.slice(folder.names?.length ?? 0);
      return (await folder.holds(rest)) ? { type: 'found', folder, names: rest } : { type: 'none' };
    }
  }
  for (let from = 0; from < names.length; from++) {
    const end = names.slice(from);
    const answers = await Promise.all(folders.map(folder => folder.holds(end)));
    const holders = folders.filter((_, index) => answers[index]);
    const [only] = holders;
    if (only !== undefined) {
      return holders.length === 1 ? { type: 'found', folder: only, names: end } : { type: 'several', folders: holders };
    }
  }
  return { type: 'none' };
}

function isWithin(names: readonly string[], place: readonly string[]): boolean {
  return names.length > place.length && place.every((name, index) => names[index] === name);
}

/** Returns whether a folder of this machine contains a file, without links that lead out of it. Disk errors count as no file. */
export async function holdsFile(folder: string, names: readonly string[]): Promise<boolean> {
  try {
    const [real, file] = await Promise.all([realpath(folder), realpath(path.join(folder, ...names))]);
    const way = path.relative(real, file);
    const isInside = way !== '' && !path.isAbsolute(way) && way.split(path.sep)[0] !== '..';
    return isInside && (await stat(file)).isFile();
  } catch {
    return false;
  }
}
