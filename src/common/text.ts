/**
 * One line that is safe as a label: control, ANSI, bidirectional and other invisible characters become visible escapes
 * (`\u{202e}`), and what is longer than `limit` code points ends in an ellipsis.
 */
export function toLabel(text: string, limit = 200): string {
  const shown = text.replace(invisible, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  const points = Array.from(shown.slice(0, limit * 2 + 2));
  return points.length > limit ? `${points.slice(0, limit - 1).join('')}…` : points.join('');
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** A size for people: `312 B`, `4.2 KB`, `250 MB` (powers of 1,000). */
export function toByteSize(bytes: number, locale?: string): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${units[unit]}`;
}
