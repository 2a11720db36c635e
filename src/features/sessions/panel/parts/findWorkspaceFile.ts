import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A folder of the workspace, as far as a search for a file needs it. */
export interface SearchedFolder {
  readonly name: string;
  /** The names in its path, where that is a path like those that agents write; else undefined. */
  readonly place: readonly string[] | undefined;
  /** Whether it holds a file with these names on the way, and that file is really in it. */
  readonly holds: (names: readonly string[]) => Promise<boolean>;
}

export type WorkspaceFile<F extends SearchedFolder> =
  | { readonly type: 'found'; readonly folder: F; readonly names: readonly string[] }
  /** The folders that hold it equally well: which one is meant is not known. */
  | { readonly type: 'several'; readonly folders: readonly F[] }
  | { readonly type: 'none' };

const longest = 4096;
const mostNames = 64;

/**
 * The names in a path that a model wrote, or undefined where it is not sure where it leads: through `..`, or with signs that some
 * system reads as more than a name (other separators, drives, streams).
 */
export function toPathNames(text: string): readonly string[] | undefined {
  if (text.length > longest || /[\\:\p{Cc}]/u.test(text) || text.endsWith('/')) {
    return undefined;
  }
  const names = text.split('/').filter(name => name !== '' && name !== '.');
  const isSure = names.length > 0 && names.length <= mostNames && !names.some(name => /^\.[. ]*$/.test(name));
  return isSure ? names : undefined;
}

/**
 * The file of the workspace that a path of an agent means. One that lies in a folder by its whole path is that file or none; of
 * any other (a container's, a relative one) the longest end that a folder holds counts, if only one folder holds it.
 */
export async function findWorkspaceFile<F extends SearchedFolder>(text: string, folders: readonly F[]): Promise<WorkspaceFile<F>> {
  const names = toPathNames(text);
  if (names === undefined) {
    return { type: 'none' };
  }
  if (text.startsWith('/')) {
    const around = folders.filter(({ place }) => place !== undefined && isWithin(names, place));
    if (around.length > 0) {
      // Of folders in each other the innermost.
      const folder = around.reduce((inner, each) => ((each.place?.length ?? 0) > (inner.place?.length ?? 0) ? each : inner));
      const rest = names.slice(folder.place?.length ?? 0);
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

/** Whether a folder of this machine holds a file that no link leads out of it. What the disk does not tell is no file. */
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
