import { realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isInToolFolder } from '../../common/files/isInToolFolder';
import { toLabel } from '../../shared/text';
import { ToolRefusal } from './assistantTool';

interface WorkspaceRoot {
  readonly name: string;
  readonly path: string;
}

export interface WorkspacePath {
  readonly name: string;
  readonly path: string;
}

/**
 * Returns the workspace file called `name`. The name is absolute or relative to a workspace folder. Throws a `ToolRefusal` if the file
 * doesn't exist or is outside the workspace.
 */
export async function findWorkspaceFile(roots: readonly WorkspaceRoot[], name: string): Promise<WorkspacePath> {
  for (const found of pathsOf(roots, name)) {
    const isFile = (await stat(found.path).catch(() => undefined))?.isFile() === true;
    if (isFile && (await isInside(roots, found.path))) {
      return found;
    }
  }
  throw new ToolRefusal(
    roots.length === 0
      ? 'No folder is open, so no file can be read. Ask the user to open the folder with the file.'
      : `File not found in the workspace: ${name}. Give a path relative to ${roots.map(root => root.path).join(' or ')}.`,
  );
}

/**
 * Creates a new file with the content that `write` writes. Reserves its name first, so that no file is replaced, even one created
 * meanwhile. Deletes the file if `write` fails. Throws a `ToolRefusal` if no new .jsonl file is allowed there.
 */
export async function writeNewFile<T>(
  roots: readonly WorkspaceRoot[],
  name: string,
  write: (path: string) => Promise<T>,
): Promise<{ readonly file: WorkspacePath; readonly value: T }> {
  const file = pathsOf(roots, name)[0];
  // Invisible characters, and characters that change the text direction, can imitate another name.
  const isPlain = toLabel(name, name.length) === name;
  const isAllowed = file !== undefined && isPlain && /\.jsonl$/i.test(file.path) && !(await isInToolFolder(file.path));
  if (!isAllowed || !(await isInside(roots, path.dirname(file.path)))) {
    throw new ToolRefusal(
      `Nothing was written: ${toLabel(name)} is not allowed as output. It must end in .jsonl, be in an existing folder of the workspace (not in a tool folder such as .git), and have no invisible characters. Give another output.`,
    );
  }
  try {
    await writeFile(file.path, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new ToolRefusal(`Nothing was written: ${file.name} already exists. Give another output.`);
    }
    throw error;
  }
  try {
    return { file, value: await write(file.path) };
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
}

/**
 * Returns the possible paths of a name in the folders, without following links. If there are several folders, the name may start with a
 * folder's name.
 */
function pathsOf(roots: readonly WorkspaceRoot[], name: string): readonly WorkspacePath[] {
  return roots.flatMap(root => {
    const below = path.isAbsolute(name) ? [name] : [path.join(root.path, name)];
    const [first, ...rest] = name.split(/[\\/]/);
    const named = roots.length > 1 && first === root.name && rest.length > 0 ? [path.join(root.path, ...rest)] : [];
    return [...named, ...below].flatMap(found => {
      const relative = path.relative(root.path, path.normalize(found));
      return isBelow(relative) ? [{ name: roots.length > 1 ? `${root.name}/${relative}` : relative, path: path.normalize(found) }] : [];
    });
  });
}

/** Returns whether an existing path is inside a folder after following links. */
async function isInside(roots: readonly WorkspaceRoot[], file: string): Promise<boolean> {
  const real = await realpath(file).catch(() => undefined);
  const folders = await Promise.all(roots.map(root => realpath(root.path).catch(() => root.path)));
  return real !== undefined && folders.some(folder => real === folder || isBelow(path.relative(folder, real)));
}

function isBelow(relative: string): boolean {
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
