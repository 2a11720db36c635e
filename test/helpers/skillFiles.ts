import type { SkillFile } from '../../src/client/resources/skills';

/** Returns the text of a `SKILL.md` with valid front matter. */
export function manifestText(name: string, body = '# How\n', description = 'Does a thing'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** Returns files of a skill for an upload, by their paths in its folder. */
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
