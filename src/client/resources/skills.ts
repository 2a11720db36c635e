import { skillSchema, skillVersionSchema } from '../schemas/skills';
import type { SkillFile, Skills, UploadOptions } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import { multipartForm } from './multipartForm';
import { callForObject, createIn } from './resource';

const path = '/skills';

/** Creates the calls for skills and their versions (API facts, section 13). The field that holds the title depends on the dialect. */
export function createSkills(transport: Transport): Skills {
  const skills = createCrud(transport, { group: 'skills', path, schema: skillSchema, type: 'skill', filters: { source: 'source' } });
  return {
    ...skills,
    create: async ({ files, title }, options) => {
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
    versions: id => {
      const versionsPath = skills.below(id, '/versions');
      const versions = createCrud(transport, {
        group: 'skills',
        path: versionsPath,
        schema: skillVersionSchema,
        type: 'skill_version',
        idFields: ['id', 'version'],
        within: { skill_id: id },
      });
      return {
        ...versions,
        create: async (files, options) =>
          callForObject(transport, skillVersionSchema, { ...uploadCall(versionsPath, [], files, options), about: versions.about() }),
        content: async (version, options) => {
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

/** Removes line breaks from a value of a form. They could only break the form, and no title needs one. */
function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
