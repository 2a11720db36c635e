import { numberFormat } from './formats';

/**
 * Returns one line that is safe as a label. Control, ANSI, bidirectional and other invisible characters become visible escapes
 * (`\u{202e}`). A text over `limit` code points ends in an ellipsis.
 */
export function toLabel(text: string, limit = 200): string {
  // A code point has at most two code units, and an escape is never shorter, so the rest of the text is never shown.
  const start = text.length > limit * 2 + 2 ? text.slice(0, limit * 2 + 2) : text;
  if (start.length <= limit && plain.test(start)) {
    return start;
  }
  const shown = start.replace(invisible, toEscape);
  const points = Array.from(shown.slice(0, limit * 2 + 2));
  return points.length > limit ? `${points.slice(0, limit - 1).join('')}…` : points.join('');
}

/** Shows characters that hide or reorder text. Keeps tabs, line feeds, and what scripts and emoji need. */
export function toVisibleText(text: string): string {
  return text.replace(deceiving, toEscape);
}

const plain = /^[\x20-\x7e]*$/;
/** Characters that render nothing, including fillers, joiners, the Braille blank, and variation selectors that don't follow an emoji. */
const invisible = /(?!(?<=\p{Emoji})\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Like `invisible`, without tab, line feed, and the joiners of scripts and emoji. */
const deceiving =
  /(?![\t\n\u200c\u200d]|(?<=\p{Emoji})\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function toEscape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Converts JSON to text: strings stay, null becomes ''. Unlike `String`, never throws or returns `[object Object]`. */
export function describeValue(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Formats a size: `312 B`, `4.2 KB`, `250 MB` (powers of 1,000). */
export function toByteSize(bytes: number, locale?: string): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${numberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${units[unit]}`;
}

/** Counts the line terminators in [from, to) of a text. */
export function countLineEnds(text: string, from = 0, to = text.length, lineEnd: '\n' | '\r' = '\n'): number {
  // Searches only the range. A search in the whole text would continue to the end of the text.
  const part = text.slice(from, to);
  let count = 0;
  for (let at = part.indexOf(lineEnd); at !== -1; at = part.indexOf(lineEnd, at + 1)) {
    count++;
  }
  return count;
}

/** Cuts a text to `longest` characters, including an ellipsis at the end. Never splits a surrogate pair. */
export function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Joins the parts that are neither missing nor empty. */
export function join(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join(separator);
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Returns a summary of the Problems view, such as `2 errors, 1 warning, 40 hints`, or `No problems`. */
export function toProblemCount(
  counts: Readonly<Record<(typeof severities)[number], number>>,
  t: (text: string, ...args: string[]) => string,
  locale?: string,
): string {
  const number = numberFormat(locale);
  const texts = {
    error: [t('1 error'), t('{0} errors', number.format(counts.error))],
    warning: [t('1 warning'), t('{0} warnings', number.format(counts.warning))],
    information: [t('1 info'), t('{0} infos', number.format(counts.information))],
    hint: [t('1 hint'), t('{0} hints', number.format(counts.hint))],
  };
  const found = severities.filter(severity => counts[severity] > 0).map(severity => texts[severity][counts[severity] === 1 ? 0 : 1]);
  return found.length === 0 ? t('No problems') : found.join(', ');
}
