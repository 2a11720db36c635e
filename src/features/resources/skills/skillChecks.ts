import type { Translate } from '../../../common/text/translate';
import { type ManifestIssue, readSkillManifest, type SkillManifest } from '../../../contract/skillManifest';
import { manifestName, skillLimits } from '../../../contract/skillRules';
import { findSecretTexts, maskText } from '../../../jsonl/survey/sensitiveText';
import { toByteSize, toLabel } from '../../../shared/text';

/** Problem in a file of a skill, with UTF-16 offsets in its text. Services refuse a skill that has a problem with the severity `error`. */
export interface SkillFinding {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

interface Sized {
  readonly path: string;
  readonly bytes: number;
}

/** Size above which a text file gets a warning, in bytes: an agent that reads it has little room for anything else. */
const largeText = 500_000;

/** Returns the problems in the text of a `SKILL.md`. `folder` is the name of its folder. */
export function checkManifest(text: string, folder: string, translate: Translate): readonly SkillFinding[] {
  const manifest = readSkillManifest(text, folder);
  const front = manifest.issues.map((issue): SkillFinding => {
    const { code, start, end } = issue;
    return { path: manifestName, start, end, severity: 'error', code, message: describeIssue(issue, manifest, translate) };
  });
  return [...front, ...findSecrets(manifestName, text, translate)];
}

/** Returns the problems with the names and sizes of files, including their total. */
export function checkFiles(files: readonly Sized[], isWhole: boolean, translate: Translate): readonly SkillFinding[] {
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
        return [at(file, 'warning', 'emptyFile', translate('Some services refuse empty files'))];
      }
      return bytes > largeText && /\.(?:md|txt)$/i.test(file)
        ? [at(file, 'warning', 'largeText', translate("{0} of text fill the agent's context", toByteSize(bytes)))]
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
    message: translate('This looks like a secret ({0}). Everyone with this file can read it.', maskText(text.slice(start, end))),
  }));
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
