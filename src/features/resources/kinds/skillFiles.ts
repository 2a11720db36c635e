import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { boundedBytes } from '../../../common/files/boundedBytes';
import { readZip, ZipError, type ZipFile } from '../../../common/files/readZip';
import { manifestName } from '../../../contract/skillRules';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { Folder, Resource, ResourceKind } from '../resourceKind';
import { defineKind, sizeWords } from './defineKind';
import { largestShown } from './files';

/** File of a version. Its ID is its path below the folder of the skill. */
interface ListedSkillFile extends Resource {
  readonly type?: string;
  readonly size_bytes?: number;
}

/** Files in a version of a skill, read from its archive in memory. */
export const skillFiles: ResourceKind<ListedSkillFile> = defineKind({
  kind: 'skillFile',
  icon: 'file',
  isImmutable: true,
  title: translate => translate('Skill Files'),
  calls: (client, version) => ({
    list: async options => {
      const files = await readSkillArchive(client, version, options?.signal);
      return { items: files.map(toListed), nextCursor: undefined, requestId: undefined };
    },
    retrieve: async path => ({ data: toListed(await readSkillFile(client, version, path)), requestId: undefined }),
  }),
  name: ({ id }) => toLabel(baseOf(id), 80) || '?',
  row: ({ size_bytes: bytes }, context) => ({ words: [sizeWords(bytes, context)], abilities: ['readable'] }),
  facts: ({ size_bytes: bytes }, context) => [[context.translate('Size'), sizeWords(bytes, context)]],
  folders: ({ id }) =>
    id
      .split('/')
      .slice(0, -1)
      .map((name): Folder => ({ id: name, label: toLabel(name, 80), icon: 'folder' })),
  content: async (client: ServiceClient, { id, parent }, signal) => {
    const { bytes } = await readSkillFile(client, parent, id, signal);
    return bytes.byteLength > largestShown ? undefined : bytes;
  },
});

function toListed({ path, bytes }: ZipFile): ListedSkillFile {
  return { id: path, type: 'skill_file', size_bytes: bytes.byteLength };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Largest archive that is read, in bytes: twice the limit of a service. */
const largestArchive = 16 * 1024 * 1024;
const limits = { entries: 2000, bytes: 64 * 1024 * 1024 };

/**
 * Returns the files of a version by their paths below its top folder, `SKILL.md` first and folders before files. Rejects with a message for
 * the user if the archive can't be trusted.
 */
export async function readSkillArchive(
  client: ServiceClient,
  version: Reference | undefined,
  signal?: AbortSignal,
): Promise<readonly ZipFile[]> {
  const versions = client.skills.versions(version?.parent?.id ?? '');
  const { body } = await versions.content(version?.id ?? '', signal === undefined ? {} : { signal });
  const archive = await boundedBytes(body, largestArchive);
  if (archive === undefined) {
    throw new ZipError(`The archive of the version has more than ${largestArchive} bytes: it is not read.`);
  }
  return withoutTop(readZip(archive, limits)).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

/** Returns one file of a version. Rejects with a 404, like a service, if it does not exist. */
async function readSkillFile(client: ServiceClient, version: Reference | undefined, path: string, signal?: AbortSignal): Promise<ZipFile> {
  const file = (await readSkillArchive(client, version, signal)).find(one => one.path === path);
  if (file === undefined) {
    const where = { method: 'GET', host: '', path: '' };
    throw new ServiceError(`The version has no file ${JSON.stringify(path)}`, {
      kind: 'not_found',
      outcome: 'refused',
      status: 404,
      ...where,
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

/** Returns the sort key of a path. The name of a folder sorts before that of a file next to it. */
function keyOf({ path }: ZipFile): string {
  const names = path.split('/');
  return path === manifestName ? '' : names.map((name, depth) => `${depth < names.length - 1 ? '0' : '1'}${name}`).join('/');
}
