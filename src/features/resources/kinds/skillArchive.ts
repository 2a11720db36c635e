import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { boundedBytes } from '../../../common/files/boundedBytes';
import { readZip, ZipError, type ZipFile } from '../../../common/files/readZip';
import { manifestName } from '../../../contract/skillRules';

/** Largest archive that is read, in bytes: twice the limit of a service. */
const largestArchive = 16 * 1024 * 1024;
const limits = { entries: 2000, bytes: 64 * 1024 * 1024 };

/**
 * Returns the files of a version by their paths below its top folder, `SKILL.md` first and folders before files. Rejects with a message for
 * the user if the archive can't be trusted.
 */
export async function readSkillArchive(
  client: ServiceClient,
  skillId: string,
  version: string,
  signal?: AbortSignal,
): Promise<readonly ZipFile[]> {
  const { body } = await client.skills.versions(skillId).content(version, signal === undefined ? {} : { signal });
  const archive = await boundedBytes(body, largestArchive);
  if (archive === undefined) {
    throw new ZipError(`The archive of the version has more than ${largestArchive} bytes: it is not read.`);
  }
  return withoutTop(readZip(archive, limits)).toSorted(inOrder);
}

/** Returns one file of a version. Rejects with a 404, like a service, if it does not exist. */
export async function readSkillFile(
  client: ServiceClient,
  skillId: string,
  version: string,
  path: string,
  signal?: AbortSignal,
): Promise<ZipFile> {
  const file = (await readSkillArchive(client, skillId, version, signal)).find(one => one.path === path);
  if (file === undefined) {
    throw new ServiceError(`The version has no file ${JSON.stringify(path)}`, {
      kind: 'not_found',
      outcome: 'refused',
      status: 404,
      method: 'GET',
      host: '',
      path: '',
    });
  }
  return file;
}

/** Removes the common top folder from the paths. Returns them unchanged if there is none. */
function withoutTop(files: readonly ZipFile[]): readonly ZipFile[] {
  const tops = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops;
  return tops.size === 1 ? files.map(({ path, bytes }) => ({ path: path.slice(top.length), bytes })) : files;
}

function inOrder(a: ZipFile, b: ZipFile): number {
  return keyOf(a).localeCompare(keyOf(b));
}

/** Returns the sort key of a path. The name of a folder sorts before that of a file next to it. */
function keyOf({ path }: ZipFile): string {
  const names = path.split('/');
  return path === manifestName ? '' : names.map((name, depth) => `${depth < names.length - 1 ? '0' : '1'}${name}`).join('/');
}
