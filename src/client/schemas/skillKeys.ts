import type { Skill, SkillVersion } from './skills';

/** Returns the key that names a version in paths and in agents: its `version` in the older shape, its id in the newer. */
export function versionKey({ id, version }: Pick<SkillVersion, 'id' | 'version'>): string {
  return version || id;
}

/** Returns the key of the newest version (`latest`), or `undefined` if there are no versions. */
export function latestVersionKey({ latest_version: key, latest_version_id: id }: Partial<Skill>): string | undefined {
  return key || id || undefined;
}

/** Returns the source of a skill: `custom`, or a word for the vendor's own. `undefined` if the service names none. */
export function sourceOf({ source }: Partial<Skill>): string | undefined {
  return (typeof source === 'string' ? source : source?.type) || undefined;
}
