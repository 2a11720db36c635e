import { latestVersionKey, type Skill, type SkillVersion, sourceOf, versionKey } from '../../../client/resources/skills';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import { nameOrId } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { defineKind, deleting } from './defineKind';
import { usesOfSkill } from './dependents';
import { skillVersions } from './skillVersions';

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
    delete: deleting(translate => translate("This can't be undone. Anything that uses it will fail."), {
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
    }),
  },
});

/** Returns whether the last version was deleted, which a service with the older wire format allows. */
function hasNoVersion({ latest_version: version }: Skill): boolean {
  return version === '';
}

/** Deletes all versions, then the skill. The latest version goes last, because agents use it unless they pin another. */
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
