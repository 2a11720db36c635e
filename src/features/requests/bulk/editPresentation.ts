import type { Translate } from '../../../common/text/translate';
import type { EditExample, EditReport, FieldEdit, LeftReason } from '../../../jsonl/fixes/edits/fieldEdit';
import type { JsonPath } from '../../../jsonl/fixes/jsonParts';
import { toRecord } from '../../../jsonl/results/resultWords';
import { compactJson } from '../../../jsonl/scanning/jsonMembers';
import { toNumber } from '../../../shared/formats';
import { jsonOf } from '../../../shared/jsonOf';
import { toLabel, toVisibleText } from '../../../shared/text';

/** Describes a change in one short line. */
export function toEditWords(edit: FieldEdit, t: Translate): string {
  switch (edit.kind) {
    case 'set':
      return t('Set {0} to {1}', toPathWords(edit.path), toLabel(edit.value, 60));
    case 'remove':
      return t('Remove {0}', toPathWords(edit.path));
    case 'set_system':
      return t('Set the system prompt to {0}', toLabel(edit.value, 60));
    case 'put_tool':
      return t('Add or replace the tool {0}', toLabel(edit.name, 60));
    case 'remove_tool':
      return t('Remove the tool {0}', toLabel(edit.name, 60));
  }
}

/** Formats a path, such as `messages[0].content`. */
function toPathWords(path: JsonPath): string {
  const words = path.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return toLabel(words.replace(/^\./, ''), 60);
}

/** Describes why some lines stay unchanged, with one sentence per reason. */
export function toLeftSentences(left: EditReport['left'], t: Translate, locale?: string): readonly string[] {
  const counts = new Map(left);
  const countOf = (reason: LeftReason) => toNumber(counts.get(reason) ?? 0, locale);
  const sentences: Readonly<Record<LeftReason, string>> = {
    same: t('Already set: {0}.', countOf('same')),
    absent: t('Nothing to remove: {0}.', countOf('absent')),
    blocked: t('Not applicable: {0}.', countOf('blocked')),
    blocks: t('Unchanged, because the system prompt has several blocks: {0}.', countOf('blocks')),
    other: t('Other requests: {0}.', countOf('other')),
    unreadable: t('Lines without a request: {0}.', countOf('unreadable')),
  };
  return (Object.keys(sentences) as LeftReason[]).filter(reason => counts.get(reason)).map(reason => sentences[reason]);
}

/** Number of lines at the top of an editor that an input box covers. */
const coveredLines = 5;

/**
 * Returns the two sides of a diff. `summary` is on the lines that the input box covers. Below it, each changed line has a heading and the
 * text around the change.
 */
export function toPreviewTexts(
  summary: readonly string[],
  examples: readonly EditExample[],
  changed: number,
  t: Translate,
  locale?: string,
): { readonly before: string; readonly after: string } {
  const textOf = (side: 'before' | 'after') => {
    const blocks = examples.map(({ line, id, ...texts }) => {
      const number = toNumber(line + 1, locale);
      const heading = id === undefined ? t('Line {0}', number) : t('Line {0}, {1}', number, toLabel(id, 80));
      return `${heading}\n${toVisibleText(texts[side])}\n`;
    });
    const rest = changed - examples.length;
    const more = t('and {0} more', toNumber(rest, locale));
    const head = [...summary, ...Array.from({ length: coveredLines - summary.length }, () => '')].map(line => `${line}\n`).join('');
    return [head, ...blocks, ...(rest > 0 ? [`${more}\n`] : [])].join('\n');
  };
  return { before: textOf('before'), after: textOf('after') };
}

/** Returns the user's text as JSON on one line. Text that isn't valid JSON becomes a string. */
export function toJsonValue(text: string): string {
  const json = text.trim();
  return jsonOf(json) === undefined ? JSON.stringify(text) : oneLine(json);
}

/** Parses a tool definition that the user typed or pasted. Returns an error message if the definition is invalid. */
export function toTool(text: string, t: Translate): { readonly name: string; readonly value: string } | string {
  const { name } = toRecord(jsonOf(text));
  if (typeof name !== 'string' || name === '') {
    return t('Tool as JSON, with a name');
  }
  return { name, value: oneLine(text.trim()) };
}

/** Removes the whitespace in JSON that would break the line, and keeps all other whitespace. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? compactJson(json) : json;
}
