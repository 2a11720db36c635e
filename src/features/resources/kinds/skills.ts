import { latestVersionKey, sourceOf, versionKey } from '../../../client/schemas/skillKeys';
import type { Skill, SkillVersion } from '../../../client/schemas/skills';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import { describeMoment, describeSince, nameOrId, toRow } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { deleting } from './acts';
import { usesOfSkill } from './skillUses';
import { skillVersions } from './skillVersions';

/** Skills of the user and of the vendor, in either wire format (API facts, section 13). */
export const skills: ResourceKind<Skill> = {
  kind: 'skill',
  icon: 'mortar-board',
  title: translate => translate('Skills'),
  calls: ({ skills: { list, retrieve, delete: remove } }) => ({ list, retrieve, delete: remove }),
  name: nameOf,
  row: (skill, context) => {
    const { translate } = context;
    const label = nameOf(skill);
    const source = sourceOf(skill);
    const isOwn = source === undefined || source === 'custom';
    const from = isOwn ? '' : translate('from {0}', toLabel(source, 40));
    const state = hasNoVersion(skill) ? translate('no version') : '';
    const age = describeSince(skill.updated_at ?? skill.created_at, context);
    return toRow(label, [from, state, age], {
      icon: isOwn ? 'mortar-board' : 'library',
      abilities: ['resource', 'skill', ...(isOwn ? ['deletable', 'versionable'] : [])],
    });
  },
  facts: (skill, context) => {
    const { translate } = context;
    return [
      [translate('Source'), sourceOf(skill) ?? ''],
      [translate('Latest version'), hasNoVersion(skill) ? translate('none') : (latestVersionKey(skill) ?? '')],
      [translate('Created'), describeMoment(skill.created_at, context)],
      [translate('Updated'), describeMoment(skill.updated_at, context)],
    ];
  },
  children: () => [skillVersions],
  usedBy: usesOfSkill,
  acts: {
    delete: deleting(translate => translate("This can't be undone. Anything that uses it will fail."), {
      instead: (error, name, translate) =>
        error instanceof ServiceError && error.outcome === 'refused' && /version/i.test(error.serviceMessage ?? '')
          ? {
              title: translate('Delete "{0}" and its versions?', name),
              detail: translate(
                "The service requires that the versions are deleted first: {0}. This can't be undone.",
                toLabel(error.serviceMessage ?? '', 300),
              ),
              button: translate('Delete'),
              run: deleteWithVersions,
            }
          : undefined,
    }),
  },
};

function nameOf({ id, display_title: title, display_name: name }: Skill): string {
  return nameOrId(title?.trim() ? title : name, id);
}

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
