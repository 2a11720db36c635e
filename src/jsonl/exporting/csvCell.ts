/**
 * A text as a cell of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it, by which
 * spreadsheets know that it is none.
 */
export function toCsvCell(text: string): string {
  const safe = toPlainCell(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A text that a spreadsheet takes for text. */
export function toPlainCell(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Spreadsheets may drop white space before a formula. The wide forms are formulas where Chinese and Japanese are written. */
const formula = /^(?:[\t\r]|[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** A record with its line end. */
export function toCsvRecord(cells: readonly (string | number)[]): string {
  return `${cells.map(cell => (typeof cell === 'number' ? String(cell) : toCsvCell(cell))).join(',')}\r\n`;
}
