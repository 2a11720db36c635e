import type { Skill, SkillVersion } from './skills';

/** What names a version in paths and pins it in agents: its `version` in the older shape, its id in the newer. */
export function versionKey({ id, version }: Pick<SkillVersion, 'id' | 'version'>): string {
  return version || id;
}

/** The key of the newest version, to which `latest` leads; undefined where there is none, or none is told. */
export function latestVersionKey({ latest_version: key, latest_version_id: id }: Partial<Skill>): string | undefined {
  return key || id || undefined;
}

/** Who made a skill: `custom`, or a word for the vendor's own; undefined where none is told. */
export function sourceOf({ source }: Partial<Skill>): string | undefined {
  return (typeof source === 'string' ? source : source?.type) || undefined;
}
