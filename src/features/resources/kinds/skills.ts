import { latestVersionKey, type Skill, type SkillVersion, sourceOf, versionKey } from '../../../client/resources/skills';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import { boundedBytes } from '../../../common/files/boundedBytes';
import { nameOrId, shortId } from '../../../common/text/presentation';
import { manifestName } from '../../../contract/skillRules';
import type { Reference } from '../../../contributions';
import { join, toLabel } from '../../../shared/text';
import { readZip, ZipError, type ZipFile } from '../readZip';
import type { Folder, Resource, ResourceKind } from '../resourceKind';
import { defineKind, sizeWords } from './defineKind';
import { usesOfSkill } from './dependents';
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
      return { items: files.map(toListedFile), nextCursor: undefined, requestId: undefined };
    },
    retrieve: async path => ({ data: toListedFile(await readSkillFile(client, version, path)), requestId: undefined }),
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

function toListedFile({ path, bytes }: ZipFile): ListedSkillFile {
  return { id: path, type: 'skill_file', size_bytes: bytes.byteLength };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Largest archive that is read, in bytes. Twice the limit of a service. */
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
    throw new ZipError(`The archive of the version is larger than ${largestArchive} bytes.`);
  }
  return withoutTop(readZip(archive, limits)).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

/** Returns one file of a version. Rejects with a 404, like a service, if the file does not exist. */
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

/** Removes the common top folder from the paths. Returns them unchanged if there is no common folder. */
function withoutTop(files: readonly ZipFile[]): readonly ZipFile[] {
  const tops = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops;
  return tops.size === 1 ? files.map(({ path, bytes }) => ({ path: path.slice(top.length), bytes })) : files;
}

/** Returns the sort key of a path. The name of a folder sorts before the name of a file next to it. */
function keyOf({ path }: ZipFile): string {
  const names = path.split('/');
  return path === manifestName ? '' : names.map((name, depth) => `${depth < names.length - 1 ? '0' : '1'}${name}`).join('/');
}

/** Listed version. Its ID is the ID used in paths, even if the service returns another ID. */
interface ListedVersion extends SkillVersion {
  /** Version as the service returned it. */
  readonly original?: SkillVersion;
  readonly isLatest?: boolean;
}

/** Versions of a skill, which never change (API facts, section 13). */
export const skillVersions: ResourceKind<ListedVersion> = defineKind({
  kind: 'skillVersion',
  icon: 'tag',
  title: translate => translate('Skill Versions'),
  calls: ({ skills }, parent) => {
    const id = parent?.id ?? '';
    const versions = skills.versions(id);
    // If this request fails, only the mark of the latest version is missing.
    const latest = async () => {
      const skill = await skills.retrieve(id).catch(() => undefined);
      return skill && latestVersionKey(skill.data);
    };
    return {
      list: async options => {
        const [page, key] = await Promise.all([versions.list(options), latest()]);
        return { ...page, items: page.items.map(version => toListedVersion(version, key)) };
      },
      retrieve: async version => {
        const [answer, key] = await Promise.all([versions.retrieve(version), latest()]);
        return { ...answer, data: toListedVersion(answer.data, key) };
      },
      delete: versions.delete,
    };
  },
  name: ({ id, name }) => join(' ', toLabel(name ?? '', 64), shortId(id)),
  row: ({ id, isLatest }, { translate }) => ({
    label: shortId(id),
    words: [isLatest === true ? translate('latest') : ''],
    icon: isLatest === true ? 'tag' : 'git-commit',
    abilities: ['deletable'],
  }),
  time: ({ created_at: created }) => created,
  facts: (version, { translate }) => [
    [translate('Name'), toLabel(version.name ?? '', 80)],
    [translate('Description'), version.description ?? ''],
    [translate('Folder'), version.directory ?? ''],
    [translate('Latest version'), version.isLatest === true ? translate('yes') : ''],
  ],
  json: ({ original, isLatest, ...version }) => original ?? version,
  children: () => [skillFiles],
  usedBy: (client, { id, parent }, context) => usesOfSkill(client, parent?.id ?? '', context, id),
  acts: {
    delete: {
      detail: translate =>
        translate("Agents pinned to this version will fail; others will use the previous version. This can't be undone."),
    },
  },
});

function toListedVersion(version: SkillVersion, latest: string | undefined): ListedVersion {
  const id = versionKey(version);
  return { ...version, id, original: version, isLatest: id === latest };
}

/** Skills of the user and of the vendor, in either wire format (API facts, section 13). */
export const skills: ResourceKind<Skill> = defineKind({
  kind: 'skill',
  icon: 'mortar-board',
  title: translate => translate('Skills'),
  calls: ({ skills: { list, retrieve, delete: remove } }) => ({ list, retrieve, delete: remove }),
  name: ({ id, display_title: title, display_name: name }) => nameOrId(title?.trim() ? title : name, id),
  row: (skill, { translate }) => {
    const source = sourceOf(skill) ?? 'custom';
    const isOwn = source === 'custom';
    return {
      words: [isOwn ? '' : translate('from {0}', toLabel(source, 40)), hasNoVersion(skill) ? translate('no version') : ''],
      icon: isOwn ? 'mortar-board' : 'library',
      abilities: isOwn ? ['deletable', 'versionable'] : [],
    };
  },
  facts: (skill, { translate }) => [
    [translate('Source'), sourceOf(skill) ?? ''],
    [translate('Latest version'), hasNoVersion(skill) ? translate('none') : (latestVersionKey(skill) ?? '')],
  ],
  children: () => [skillVersions],
  usedBy: (client, { id }, context) => usesOfSkill(client, id, context),
  acts: {
    delete: {
      detail: translate => translate("This can't be undone. Anything that uses it will fail."),
      instead: (error, name, translate) =>
        error instanceof ServiceError && error.outcome === 'refused' && /version/i.test(error.serviceMessage ?? '')
          ? {
              title: translate('Delete "{0}" and its versions?', name),
              detail: translate(
                "The service requires deleting the versions first: {0}. This can't be undone.",
                toLabel(error.serviceMessage ?? '', 300),
              ),
              button: translate('Delete'),
              run: deleteWithVersions,
            }
          : undefined,
    },
  },
});

/** Returns whether the last version was deleted, which a service with the older wire format allows. */
function hasNoVersion({ latest_version: version }: Skill): boolean {
  return version === '';
}

/** Deletes all versions, then the skill. The latest version goes last, because agents use it unless they pin another version. */
async function deleteWithVersions({ skills: calls }: ServiceClient, { id }: Reference): Promise<undefined> {
  const versions = calls.versions(id);
  const keys: string[] = [];
  for await (const version of listAll<SkillVersion>(options => versions.list(options), { limit: 100 })) {
    keys.push(versionKey(version));
  }
  for (const key of keys.toReversed()) {
    await versions.delete(key);
  }
  await calls.delete(id);
}
