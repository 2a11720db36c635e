import type { ServiceClient } from '../../../client/serviceClient';
import type { ZipFile } from '../../../common/files/readZip';
import { join } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toByteSize, toLabel } from '../../../shared/text';
import type { Folder, Resource, ResourceKind } from '../resourceKind';
import { largestShown } from './files';
import { readSkillArchive, readSkillFile } from './skillArchive';

/** File of a version. Its ID is its path below the folder of the skill. */
export interface ListedSkillFile extends Resource {
  readonly type?: string;
  readonly size_bytes?: number;
}

/** Files in a version of a skill, read from its archive in memory. */
export const skillFiles: ResourceKind<ListedSkillFile> = {
  kind: 'skillFile',
  icon: 'file',
  isImmutable: true,
  title: translate => translate('Skill Files'),
  calls: (client, version) => ({
    list: async options => {
      const { skillId, versionId } = placeOf(version);
      const files = await readSkillArchive(client, skillId, versionId, options?.signal);
      return { items: files.map(toListed), nextCursor: undefined, requestId: undefined };
    },
    retrieve: async path => {
      const { skillId, versionId } = placeOf(version);
      return { data: toListed(await readSkillFile(client, skillId, versionId, path)), requestId: undefined };
    },
  }),
  name: ({ id }) => toLabel(baseOf(id), 80) || '?',
  row: ({ id, size_bytes: bytes }, { locale }) => {
    const label = toLabel(baseOf(id), 80) || '?';
    const size = bytes === undefined ? '' : toByteSize(bytes, locale);
    return {
      label,
      description: size,
      icon: 'file',
      color: undefined,
      abilities: 'resource skillFile',
      spoken: join(', ', label, size),
    };
  },
  facts: ({ size_bytes: bytes }, { translate, locale }) => [[translate('Size'), bytes === undefined ? '' : toByteSize(bytes, locale)]],
  folders: ({ id }) =>
    id
      .split('/')
      .slice(0, -1)
      .map((name): Folder => ({ id: name, label: toLabel(name, 80), icon: 'folder' })),
  content: async (client: ServiceClient, { id, parent }, signal) => {
    const { skillId, versionId } = placeOf(parent);
    const { bytes } = await readSkillFile(client, skillId, versionId, id, signal);
    return bytes.byteLength > largestShown ? undefined : bytes;
  },
};

function placeOf(version: Reference | undefined): { readonly skillId: string; readonly versionId: string } {
  return { skillId: version?.parent?.id ?? '', versionId: version?.id ?? '' };
}

function toListed({ path, bytes }: ZipFile): ListedSkillFile {
  return { id: path, type: 'skill_file', size_bytes: bytes.byteLength };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
