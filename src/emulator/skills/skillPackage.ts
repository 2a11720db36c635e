import { zipSync } from 'fflate';
import { type ManifestIssueCode, readSkillManifest } from '../../contract/skillManifest';
import { manifestName, skillLimits } from '../../contract/skillRules';
import { invalidRequest } from '../http/apiError';

interface SkillPackage {
  readonly name: string;
  readonly description: string;
  /** Name of the only top-level folder. */
  readonly directory: string;
  /** Files by path, including the top folder. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const messages: Readonly<Record<ManifestIssueCode, string>> = {
  frontMatterMissing: 'SKILL.md must begin with YAML front matter',
  frontMatterOpen: 'SKILL.md: the front matter is not closed',
  frontMatterLong: 'SKILL.md: the front matter is too long',
  frontMatterBroken: 'SKILL.md: the front matter is not valid YAML',
  nameMissing: 'SKILL.md: name is required in the front matter',
  nameLong: `SKILL.md: name must have at most ${skillLimits.name} characters`,
  nameForm: 'SKILL.md: name must be lowercase letters, digits and single hyphens',
  nameFolder: 'SKILL.md: name must match the top-level directory',
  descriptionMissing: 'SKILL.md: description is required in the front matter',
  descriptionLong: `SKILL.md: description must have at most ${skillLimits.description} characters`,
};

/** Reads the package from the files of a form: `files[]` or `files`, with relative names. Throws the 400 of the first violated rule. */
export async function readSkillPackage(form: FormData): Promise<SkillPackage> {
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const part of [...form.getAll('files[]'), ...form.getAll('files')]) {
    const file = typeof part === 'string' ? new File([part], '') : part;
    const filename = file.name;
    checkPath(filename);
    if (files.has(filename)) {
      throw invalidRequest(`files: ${filename} is there twice`);
    }
    bytes += file.size;
    files.set(filename, Buffer.from(await file.arrayBuffer()));
  }
  if (files.size === 0) {
    throw invalidRequest('files: Field required');
  }
  if (bytes > skillLimits.packageBytes) {
    throw invalidRequest(`files: a skill must have at most ${skillLimits.packageBytes} bytes`);
  }
  const folders = new Set([...files.keys()].map(path => path.slice(0, Math.max(0, path.indexOf('/')))));
  const [directory = ''] = folders;
  if (folders.size !== 1 || directory === '') {
    throw invalidRequest('files: all files must be in the same top-level directory');
  }
  const manifest = files.get(`${directory}/${manifestName}`);
  if (manifest === undefined) {
    throw invalidRequest(`files: ${manifestName} is required at the root of the top-level directory`);
  }
  const { name, description, issues } = readSkillManifest(manifest.toString('utf8'), directory);
  const [issue] = issues;
  if (issue !== undefined || name === undefined || description === undefined) {
    throw invalidRequest(messages[issue?.code ?? 'nameMissing']);
  }
  return { name, description, directory, files };
}

/** Creates a zip archive of the files. The same files always result in the same bytes. */
export function zipSkill({ files }: Pick<SkillPackage, 'files'>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 6, mtime: '2000-01-02' }));
}

function checkPath(path: string): void {
  const names = path.split('/');
  if (path === '' || path.includes('\\') || path.includes('\0') || names.some(name => name === '' || name === '.' || name === '..')) {
    throw invalidRequest(`files: ${JSON.stringify(path)} is not a relative path`);
  }
}
