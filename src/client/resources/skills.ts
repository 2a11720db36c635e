import * as z from 'zod';
import type { StreamedBody } from '../../contract/streamedBody';
import type { ByteStream, CallOptions } from '../transport/callResult';
import { identity, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import type { UploadOptions } from './files';
import { multipartForm } from './multipartForm';
import { callForObject, createIn } from './resource';

/**
 * Skill in either wire format (API facts, section 13; resources, 0.1). The older format has `display_title`, `latest_version` and a string
 * as `source`. The newer format has `display_name`, `latest_version_id` and an object as `source`. Only `id` is required.
 */
const skillSchema = z.looseObject({
  ...identity('skill'),
  ...optionalTexts('display_title', 'display_name', 'latest_version_id', 'created_at', 'updated_at'),
  /** Empty if the last version was deleted. */
  latest_version: z.string().nullish(),
  source: z.union([z.string(), z.looseObject({ type: z.string().nullish() })]).nullish(),
});
export type Skill = z.infer<typeof skillSchema>;

/** One version of a skill, which never changes. Only the older shape has `version` and `directory`. Only `id` is required. */
const skillVersionSchema = z.looseObject({
  ...identity('skill_version'),
  ...optionalTexts('skill_id', 'version', 'name', 'description', 'directory', 'created_at'),
});
export type SkillVersion = z.infer<typeof skillVersionSchema>;

/** Returns the key that names a version in paths and in agents: its `version` in the older shape, its id in the newer. */
export function versionKey({ id, version }: Pick<SkillVersion, 'id' | 'version'>): string {
  return version || id;
}

/** Returns the key of the newest version, or `undefined` if there are no versions. */
export function latestVersionKey({ latest_version: key, latest_version_id: id }: Partial<Skill>): string | undefined {
  return key || id || undefined;
}

/** Returns the source of a skill: `custom`, or the dialect's word for the vendor's own skills. `undefined` if the service names none. */
export function sourceOf({ source }: Partial<Skill>): string | undefined {
  return (typeof source === 'string' ? source : source?.type) || undefined;
}

/** File of a skill. `path` starts with the only top-level folder: `my-skill/scripts/run.py`. */
export interface SkillFile {
  readonly path: string;
  readonly mediaType?: string | undefined;
  readonly content: StreamedBody;
}

interface SkillUpload {
  /** All files are in one top-level folder with a `SKILL.md`. */
  readonly files: readonly SkillFile[];
  /** At most 255 characters. In the older shape, no two custom skills may have the same title. */
  readonly title?: string;
}

const path = '/skills';

/** Creates the calls for skills and their versions (API facts, section 13). The field that holds the title depends on the dialect. */
export function createSkills(transport: Transport) {
  const skills = createCrud<typeof skillSchema, { readonly source?: string }>(transport, {
    group: 'skills',
    path,
    schema: skillSchema,
    type: 'skill',
    filters: { source: 'source' },
  });
  const { list, retrieve, delete: remove } = skills.calls;
  return {
    ...{ list, retrieve, delete: remove },
    /** Creates a skill with its first version from a streamed upload. */
    create: async ({ files, title }: SkillUpload, options?: UploadOptions) => {
      const titles = title === undefined ? [] : transport.dialect.skillTitles.map(field => [field, toOneLine(title)] as const);
      const call = { ...uploadCall(path, titles, files, options), about: skills.about() };
      const answer = await createIn(transport, call, () => callForObject(transport, skillSchema, call));
      const storedTitle = answer.data.display_title ?? answer.data.display_name;
      return compared(
        answer,
        Object.fromEntries(titles.slice(0, 1)),
        {},
        Object.fromEntries(titles.map(([field]) => [field, storedTitle])),
      );
    },
    /** Versions of a skill, each identified by its `versionKey`. All versions have the same name in `SKILL.md`. */
    versions: (id: string) => {
      const versionsPath = skills.below(id, '/versions');
      const versions = createCrud(transport, {
        group: 'skills',
        path: versionsPath,
        schema: skillVersionSchema,
        type: 'skill_version',
        idFields: ['id', 'version'],
        within: { skill_id: id },
      });
      const { calls } = versions;
      return {
        ...{ list: calls.list, retrieve: calls.retrieve, delete: calls.delete },
        /** Creates a version from its complete list of files, in a streamed upload. */
        create: async (files: readonly SkillFile[], options?: UploadOptions) =>
          callForObject(transport, skillVersionSchema, { ...uploadCall(versionsPath, [], files, options), about: versions.about() }),
        /** Returns the files as a zip archive, which must not be trusted. */
        content: async (version: string, options?: CallOptions): Promise<ByteStream> => {
          const call = { method: 'GET', group: 'skills', path: versions.below(version, '/content'), accept: '*/*' } as const;
          const { body, contentLength, requestId } = await transport.stream({ ...call, signal: options?.signal });
          return { body, contentLength, requestId };
        },
      };
    },
  };
}

function uploadCall(
  at: string,
  titles: readonly (readonly [string, string])[],
  files: readonly SkillFile[],
  { signal, onProgress }: UploadOptions = {},
) {
  const { contentType, body } = multipartForm(
    titles,
    files.map(({ path: name, mediaType, content }) => ({ field: 'files[]', name, mediaType, content })),
  );
  return { method: 'POST', group: 'skills', path: at, creates: true, contentType, body, signal, onProgress } as const;
}

/** Removes line breaks from a form value, because they could break the form. Titles don't need line breaks. */
function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
