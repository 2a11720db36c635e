import { isMap, isScalar, type Pair, parseDocument } from 'yaml';
import { skillLimits } from './skillRules';

/** Maximum number of front matter characters to read. Real front matters are shorter. */
const longestFrontMatter = 64 * 1024;

export type ManifestIssueCode =
  | 'frontMatterMissing'
  | 'frontMatterOpen'
  | 'frontMatterLong'
  | 'frontMatterBroken'
  | 'nameMissing'
  | 'nameLong'
  | 'nameForm'
  | 'nameFolder'
  | 'descriptionMissing'
  | 'descriptionLong';

/** Problem in a front matter, at UTF-16 offsets of the whole text. */
export interface ManifestIssue {
  readonly code: ManifestIssueCode;
  readonly start: number;
  readonly end: number;
  /** Message of the YAML parser, or the value found instead of a valid value. */
  readonly detail?: string;
}

/** Fields of a `SKILL.md`. A field that is missing or not text is absent. */
export interface SkillManifest {
  readonly name?: string;
  readonly description?: string;
  /** Offset of the text after the front matter. */
  readonly bodyStart: number;
  readonly issues: readonly ManifestIssue[];
}

interface Found {
  readonly text: string;
  readonly range: Pick<ManifestIssue, 'start' | 'end'>;
}

/**
 * Parses the front matter of a `SKILL.md` and checks it by the rules of the service. A name has 1 to 64 lowercase letters, digits and
 * single hyphens in between, and equals `folder`, if given. A description has 1 to 1,024 characters. Never throws.
 */
export function readSkillManifest(text: string, folder?: string): SkillManifest {
  const opening = /^\ufeff?---[ \t]*(?:\r?\n|$)/.exec(text);
  if (opening === null) {
    return { bodyStart: 0, issues: [{ code: 'frontMatterMissing', start: 0, end: endOfLine(text, 0) }] };
  }
  const start = opening[0].length;
  const closing = /^---[ \t]*\r?$/m.exec(text.slice(start, start + longestFrontMatter));
  if (closing === null) {
    const isLong = text.length - start > longestFrontMatter;
    const code = isLong ? 'frontMatterLong' : 'frontMatterOpen';
    return { bodyStart: text.length, issues: [{ code, start: 0, end: endOfLine(text, 0) }] };
  }
  const bodyStart = start + closing.index + closing[0].length;
  return { ...readFields(text.slice(start, start + closing.index), start, folder), bodyStart };
}

function readFields(yaml: string, offset: number, folder: string | undefined): Omit<SkillManifest, 'bodyStart'> {
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent', stringKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const at = Math.min(broken.pos[0], yaml.length);
    const from = yaml.lastIndexOf('\n', Math.max(0, at - 1)) + 1;
    return { issues: [{ code: 'frontMatterBroken', start: offset + from, end: offset + endOfLine(yaml, from), detail: broken.message }] };
  }
  const fields: readonly Pair[] = isMap(document.contents) ? document.contents.items : [];
  const whole = { start: 0, end: Math.max(3, offset - 1) };
  const name = textOf(fields, 'name', offset);
  const description = textOf(fields, 'description', offset);
  return {
    ...(name !== undefined && { name: name.text }),
    ...(description !== undefined && { description: description.text }),
    issues: [
      ...(name === undefined ? [{ code: 'nameMissing', ...whole } as const] : nameIssues(name, folder)),
      ...(description === undefined
        ? [{ code: 'descriptionMissing', ...whole } as const]
        : description.text.length > skillLimits.description
          ? [{ ...description.range, code: 'descriptionLong', detail: String(description.text.length) } as const]
          : []),
    ],
  };
}

function nameIssues(name: Found, folder: string | undefined): readonly ManifestIssue[] {
  if (name.text.length > skillLimits.name) {
    return [{ ...name.range, code: 'nameLong', detail: String(name.text.length) }];
  }
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name.text)) {
    return [{ ...name.range, code: 'nameForm' }];
  }
  return folder === undefined || folder === name.text ? [] : [{ ...name.range, code: 'nameFolder', detail: folder }];
}

/** Returns a field as text, or `undefined` if it is absent, empty or not a scalar. */
function textOf(fields: readonly Pair[], key: string, offset: number): Found | undefined {
  const value = fields.find(field => isScalar(field.key) && field.key.value === key)?.value;
  if (!isScalar(value) || value.value === null) {
    return undefined;
  }
  const text = (typeof value.value === 'string' ? value.value : (value.source ?? String(value.value))).trim();
  const [start, end] = value.range ?? [0, 0];
  return text === '' ? undefined : { text, range: { start: offset + start, end: offset + end } };
}

function endOfLine(text: string, from: number): number {
  const end = text.slice(from).search(/\r?\n/);
  return end < 0 ? text.length : from + end;
}
