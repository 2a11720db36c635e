import path from 'node:path';
import type { Translate } from '../../../common/text/translate';
import { type ManifestIssue, readSkillManifest, type SkillManifest } from '../../../contract/skillManifest';
import { manifestName, skillLimits } from '../../../contract/skillRules';
import { findSecretTexts, maskText } from '../../../jsonl/survey/sensitiveText';
import { toByteSize, toLabel } from '../../../shared/text';
import { decode } from '../documents/resourceUri';

/** Problem in a file of a skill, with UTF-16 offsets in its text. Services refuse a skill that has a problem with the severity `error`. */
export interface SkillFinding {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

/** Size above which a text file gets a warning, in bytes. An agent that reads such a file has little room for anything else. */
const largeText = 500_000;

/** Returns the problems in the text of a `SKILL.md`. `paths` are the files of its folder. */
export function checkManifest(text: string, folder: string, paths: readonly string[], translate: Translate): readonly SkillFinding[] {
  const manifest = readSkillManifest(text, folder);
  const front = manifest.issues.map((issue): SkillFinding => {
    const { code, start, end } = issue;
    return { path: manifestName, start, end, severity: 'error', code, message: describeIssue(issue, manifest, translate) };
  });
  return [...front, ...deadLinks(text, manifest.bodyStart, paths, translate), ...findSecrets(manifestName, text, translate)];
}

/** Returns the problems with the names and sizes of files, including their total. */
export function checkFiles(
  files: readonly { readonly path: string; readonly bytes: number }[],
  isWhole: boolean,
  translate: Translate,
): readonly SkillFinding[] {
  const at = (file: string, severity: SkillFinding['severity'], code: string, message: string): SkillFinding => {
    return { path: file, start: 0, end: 0, severity, code, message };
  };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const limit = toByteSize(skillLimits.packageBytes);
  return [
    ...(isWhole ? [] : [at(manifestName, 'error', 'tooManyFiles', translate('Too many files or nested folders'))]),
    ...(total > skillLimits.packageBytes
      ? [at(manifestName, 'error', 'packageTooLarge', translate('The files have {0}. The limit is {1}.', toByteSize(total), limit))]
      : []),
    ...files
      .filter(({ path: file }) => /["\\\p{Cc}]/u.test(file))
      .map(({ path: file }) =>
        at(file, 'error', 'fileName', translate('Rename the file: {0} has an unsupported character', toLabel(file, 100))),
      ),
    ...files.flatMap(({ path: file, bytes }) => {
      if (bytes === 0) {
        return [at(file, 'warning', 'emptyFile', translate('Some services reject empty files'))];
      }
      return bytes > largeText && /\.(?:md|txt)$/i.test(file)
        ? [at(file, 'warning', 'largeText', translate("Adds {0} of text to the agent's context", toByteSize(bytes)))]
        : [];
    }),
  ];
}

/** Returns warnings about texts that look like a key. Their messages mask the text. */
export function findSecrets(file: string, text: string, translate: Translate): readonly SkillFinding[] {
  return findSecretTexts(text).map(({ start, end }) => ({
    path: file,
    start,
    end,
    severity: 'warning',
    code: 'secret',
    message: translate('This looks like a secret ({0}). Anyone with this file can read it.', maskText(text.slice(start, end))),
  }));
}

function deadLinks(text: string, from: number, paths: readonly string[], translate: Translate): readonly SkillFinding[] {
  const known = new Set(paths.flatMap(withFolders));
  const body = withoutCode(text.slice(from));
  const findings: SkillFinding[] = [];
  for (const match of body.matchAll(/\]\([ \t]{0,9}(<[^<>\n]{1,500}>|[^\s()<>]{1,500})/g)) {
    const [whole, target = ''] = match;
    const bare = target.startsWith('<') ? target.slice(1, -1) : target;
    const problem = problemOfLink(bare, known, translate);
    if (problem !== undefined) {
      const start = from + match.index + whole.length - target.length;
      findings.push({ path: manifestName, start, end: start + target.length, severity: 'warning', ...problem });
    }
  }
  return findings;
}

function problemOfLink(
  target: string,
  known: ReadonlySet<string>,
  translate: Translate,
): { readonly code: string; readonly message: string } | undefined {
  const plain = decode(target.replace(/[?#].*$/s, ''));
  if (plain === '' || /^[a-z][a-z0-9+.-]*:|^[/{$]/i.test(plain)) {
    return undefined;
  }
  const file = path.posix.normalize(plain).replace(/\/$/, '');
  if (file === '..' || file.startsWith('../')) {
    return { code: 'linkOutside', message: translate("Links to files outside the folder aren't uploaded") };
  }
  return file === '.' || known.has(file) ? undefined : { code: 'deadLink', message: translate('File not found: {0}', toLabel(file, 100)) };
}

function withFolders(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Replaces code with spaces, because paths in code are examples. Keeps all offsets. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  return text
    .split('\n')
    .map(line => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      const isInside = fence !== undefined;
      if (fence === undefined) {
        fence = mark;
      } else if (mark?.startsWith(fence)) {
        fence = undefined;
      }
      return isInside || mark !== undefined ? ' '.repeat(line.length) : line.replace(/`[^`\n]{1,500}`/g, code => ' '.repeat(code.length));
    })
    .join('\n');
}

function describeIssue({ code, detail = '' }: ManifestIssue, { name = '' }: SkillManifest, translate: Translate): string {
  const front = translate('Start with front matter: ---, name and description, ---');
  const words: Readonly<Record<ManifestIssue['code'], string>> = {
    frontMatterMissing: front,
    frontMatterOpen: front,
    frontMatterLong: front,
    frontMatterBroken: translate('Invalid YAML: {0}', toLabel(detail, 200)),
    nameMissing: translate('Add a name'),
    nameLong: translate('Use at most {1} characters instead of {0}', detail, skillLimits.name),
    nameForm: translate('Use lowercase letters, digits and single hyphens'),
    nameFolder: translate('The name {0} must match the folder {1}', toLabel(name, 64), toLabel(detail, 64)),
    descriptionMissing: translate('Add a description, so that agents know when to use the skill'),
    descriptionLong: translate('Use at most {1} characters instead of {0}', detail, skillLimits.description),
  };
  return words[code];
}
