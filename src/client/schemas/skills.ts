import * as z from 'zod';
import { optionalTexts } from './commonFields';

/**
 * Skill in either wire format (API facts, section 13; resources, 0.1). The older one has `display_title`, `latest_version` and a string as
 * `source`. The newer one has `display_name`, `latest_version_id` and an object as `source`. Only `id` is required.
 */
export const skillSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('skill'),
  ...optionalTexts('display_title', 'display_name', 'latest_version_id', 'created_at', 'updated_at'),
  /** Empty if the last version was deleted. */
  latest_version: z.string().nullish(),
  source: z.union([z.string(), z.looseObject({ type: z.string().nullish() })]).nullish(),
});
export type Skill = z.infer<typeof skillSchema>;

/** One version of a skill, which never changes. Only the older shape has `version` and `directory`. Only `id` is required. */
export const skillVersionSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('skill_version'),
  ...optionalTexts('skill_id', 'version', 'name', 'description', 'directory', 'created_at'),
});
export type SkillVersion = z.infer<typeof skillVersionSchema>;
