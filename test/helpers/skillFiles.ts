import type { SkillFile } from '../../src/client/serviceClient';

/** The text of a `SKILL.md` whose front matter is right. */
export function manifestText(name: string, body = '# How\n', description = 'Does a thing'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** Files of a skill for an upload, by their paths below its folder. */
export function skillFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): readonly SkillFile[] {
  return Object.entries(files).map(([path, content]) => {
    const bytes = Buffer.from(content);
    return {
      path: `${folder}/${path}`,
      content: {
        byteLength: bytes.length,
        async *open() {
          yield bytes;
        },
      },
    };
  });
}
