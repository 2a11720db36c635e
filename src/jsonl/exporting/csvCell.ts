/** Characters that a cell of a spreadsheet holds: what follows them would become cells and rows of its own. */
export const longestCell = 32_767;

/**
 * A text as a cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, by which
 * spreadsheets know that it is none. A text of more than `longest` characters is cut.
 */
export function toCsvCell(text: string, longest = Number.POSITIVE_INFINITY): string {
  const safe = toPlainCell(text);
  const cell = safe.length > longest ? `${safe.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : safe;
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A text that no spreadsheet takes for a formula; a number stays one. */
export function toPlainCell(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

/** Spreadsheets may drop white space before a formula. The wide forms are formulas where Chinese and Japanese are written. */
const formula = /^(?:[\t\r]|[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** A number with a sign, which answers often follow by a line break. */
const number = /^[+-](?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \r\n]*$/i;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** A record with its line end. */
export function toCsvRecord(cells: readonly (string | number)[], longest?: number): string {
  return `${cells.map(cell => (typeof cell === 'number' ? String(cell) : toCsvCell(cell, longest))).join(',')}\r\n`;
}
