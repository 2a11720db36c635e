import { cutText } from '../../shared/text';

/** Maximum length of a spreadsheet cell, in characters. The excess of a longer text would spill into other cells and rows. */
export const longestCell = 32_767;

/**
 * Encodes a text as a cell of a CSV file (RFC 4180). If a spreadsheet would run the text as a formula, prefixes an apostrophe, which marks
 * it as text. Cuts the text after `longest` characters.
 */
export function toCsvCell(text: string, longest = Number.POSITIVE_INFINITY): string {
  const safe = toPlainCell(text);
  const cell = cutText(safe, longest);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Prefixes a text with an apostrophe if a spreadsheet would treat it as a formula. Numbers are unchanged. */
export function toPlainCell(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

/** Start of a formula, perhaps after white space. Chinese and Japanese versions accept the full-width forms. */
const formula = /^(?:[\t\r]|[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** Signed number, possibly with the line breaks that often end an answer. */
const number = /^[+-](?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \r\n]*$/i;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** Returns a CSV record with its line break. */
export function toCsvRecord(cells: readonly (string | number)[], longest?: number): string {
  return `${cells.map(cell => (typeof cell === 'number' ? String(cell) : toCsvCell(cell, longest))).join(',')}\r\n`;
}
