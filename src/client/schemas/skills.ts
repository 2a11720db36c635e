import * as z from 'zod';

/**
 * Skill in either shape of the wire (API facts, section 13; resources, 0.1). The older one has `display_title`, `latest_version` and a word
 * for its source. The newer one has `display_name`, `latest_version_id` and an object. Only `id` is required.
 */
export const skillSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('skill'),
  display_title: z.string().nullish(),
  display_name: z.string().nullish(),
  /** Empty if the last version was deleted. */
  latest_version: z.string().nullish(),
  latest_version_id: z.string().nullish(),
  source: z.union([z.string(), z.looseObject({ type: z.string().nullish() })]).nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Skill = z.infer<typeof skillSchema>;

/** One version of a skill, which never changes. Only the older shape has `version` and `directory`. Only `id` is required. */
export const skillVersionSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('skill_version'),
  skill_id: z.string().nullish(),
  version: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  directory: z.string().nullish(),
  created_at: z.string().nullish(),
});
export type SkillVersion = z.infer<typeof skillVersionSchema>;
