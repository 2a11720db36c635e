import { latestVersionKey, type SkillVersion, versionKey } from '../../../client/resources/skills';
import { join, shortId } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { defineKind, deleting } from './defineKind';
import { usesOfSkill } from './dependents';
import { skillFiles } from './skillFiles';

/** Listed version. Its ID is the one used in paths, even if the service names another one. */
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
    const latest = () =>
      skills.retrieve(id).then(
        ({ data }) => latestVersionKey(data),
        () => undefined,
      );
    return {
      list: async options => {
        const [page, key] = await Promise.all([versions.list(options), latest()]);
        return { ...page, items: page.items.map(version => toListed(version, key)) };
      },
      retrieve: async version => {
        const [answer, key] = await Promise.all([versions.retrieve(version), latest()]);
        return { ...answer, data: toListed(answer.data, key) };
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
    delete: deleting(translate =>
      translate(
        "This can't be undone: agents pinned to it fail, others get the previous version. If it's the only version, delete the skill instead.",
      ),
    ),
  },
});

function toListed(version: SkillVersion, latest: string | undefined): ListedVersion {
  const id = versionKey(version);
  return { ...version, id, original: version, isLatest: id === latest };
}
