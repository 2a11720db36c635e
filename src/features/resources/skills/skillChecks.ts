import path from 'node:path';
import type { Translate } from '../../../common/text/translate';
import { type ManifestIssue, readSkillManifest, type SkillManifest } from '../../../contract/skillManifest';
import { manifestName, skillLimits } from '../../../contract/skillRules';
import { findSecretTexts, maskText } from '../../../jsonl/survey/sensitiveText';
import { toByteSize, toLabel } from '../../../shared/text';

/** Problem in a file of a skill, with UTF-16 offsets in its text. Services refuse a skill that has a problem with the severity `error`. */
export interface SkillFinding {
  /** Path of the file, relative to the folder. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

/** File with its size. */
interface Sized {
  readonly path: string;
  readonly bytes: number;
}

/** Size above which a text file gets a warning, in bytes: an agent that reads it has little room for anything else. */
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
export function checkFiles(files: readonly Sized[], isWhole: boolean, translate: Translate): readonly SkillFinding[] {
  const at = (file: string, severity: SkillFinding['severity'], code: string, message: string): SkillFinding => {
    return { path: file, start: 0, end: 0, severity, code, message };
  };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const limit = toByteSize(skillLimits.packageBytes);
  return [
    ...(isWhole
      ? []
      : [
          at(
            manifestName,
            'error',
            'tooManyFiles',
            translate('The folder has too many files, or too many folders in each other, for a skill'),
          ),
        ]),
    ...(total > skillLimits.packageBytes
      ? [
          at(
            manifestName,
            'error',
            'packageTooLarge',
            translate('The files have {0} together; a skill may have {1}', toByteSize(total), limit),
          ),
        ]
      : []),
    ...files
      .filter(({ path: file }) => /["\\\p{Cc}]/u.test(file))
      .map(({ path: file }) =>
        at(file, 'error', 'fileName', translate('The name {0} has a character that no upload keeps: rename the file', toLabel(file, 100))),
      ),
    ...files.flatMap(({ path: file, bytes }) => {
      if (bytes === 0) {
        return [at(file, 'warning', 'emptyFile', translate('The file is empty: some services refuse a skill with it'))];
      }
      return bytes > largeText && /\.(?:md|txt)$/i.test(file)
        ? [
            at(
              file,
              'warning',
              'largeText',
              translate('The text has {0}: an agent that reads it has room for little else', toByteSize(bytes)),
            ),
          ]
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
    message: translate('This looks like a secret ({0}): everybody who may use the skill can read it', maskText(text.slice(start, end))),
  }));
}

/** Returns warnings about Markdown links to files that the folder does not have. */
function deadLinks(text: string, from: number, paths: readonly string[], translate: Translate): readonly SkillFinding[] {
  const places = new Set(paths.flatMap(withFolders));
  const body = withoutCode(text.slice(from));
  const findings: SkillFinding[] = [];
  for (const match of body.matchAll(/\]\([ \t]{0,9}(<[^<>\n]{1,500}>|[^\s()<>]{1,500})/g)) {
    const [whole, target = ''] = match;
    const bare = target.startsWith('<') ? target.slice(1, -1) : target;
    const problem = problemOfLink(bare, places, translate);
    if (problem !== undefined) {
      const start = from + match.index + whole.length - target.length;
      findings.push({ path: manifestName, start, end: start + target.length, severity: 'warning', ...problem });
    }
  }
  return findings;
}

function problemOfLink(
  target: string,
  places: ReadonlySet<string>,
  translate: Translate,
): { readonly code: string; readonly message: string } | undefined {
  const plain = decoded(target.replace(/[?#].*$/s, ''));
  if (plain === '' || /^[a-z][a-z0-9+.-]*:|^[/{$]/i.test(plain)) {
    return undefined;
  }
  const place = path.posix.normalize(plain).replace(/\/$/, '');
  if (place === '..' || place.startsWith('../')) {
    return { code: 'linkOutside', message: translate('The link leads out of the folder: what is there is not uploaded') };
  }
  return place === '.' || places.has(place)
    ? undefined
    : { code: 'deadLink', message: translate('The folder has no file {0}', toLabel(place, 100)) };
}

/** Returns a path and all its parent folders. */
function withFolders(file: string): readonly string[] {
  const names = file.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Replaces code with spaces, keeping all offsets: paths in code are examples. */
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

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function describeIssue({ code, detail = '' }: ManifestIssue, { name = '' }: SkillManifest, translate: Translate): string {
  switch (code) {
    case 'frontMatterMissing':
      return translate('A skill begins with front matter: a line ---, then name and description, then a line ---');
    case 'frontMatterOpen':
      return translate('The front matter has no end: a line --- is missing');
    case 'frontMatterLong':
      return translate('The front matter has no end, or is longer than any service takes');
    case 'frontMatterBroken':
      return translate('The front matter is no YAML: {0}', toLabel(detail, 200));
    case 'nameMissing':
      return translate('The front matter has no name');
    case 'nameLong':
      return translate('The name has {0} characters; it may have {1}', detail, skillLimits.name);
    case 'nameForm':
      return translate('The name may have lowercase letters, digits, and single hyphens between them');
    case 'nameFolder':
      return translate('The name is {0}, and the folder is {1}: both have to be the same', toLabel(name, 64), toLabel(detail, 64));
    case 'descriptionMissing':
      return translate('The front matter has no description: by it an agent knows when to use the skill');
    case 'descriptionLong':
      return translate('The description has {0} characters; it may have {1}', detail, skillLimits.description);
  }
}
