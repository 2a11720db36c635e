import { TextWindow } from '../reading/jsonReader';
import { pieceLength, stopReading, type TextSource } from '../reading/textFile';
import type { Row, RowProblem, RowsFormat } from './rowsReport';

interface CsvRecord {
  readonly cells: readonly string[];
  readonly end: number;
  readonly isBlank: boolean;
  /** True if text follows the closing quotation mark of a cell. */
  readonly hasTail: boolean;
}

/**
 * Reads the rows of a CSV text (RFC 4180). Cells in quotation marks may contain delimiters, line breaks and doubled quotation marks. Lines
 * end with LF or CR LF, or with CR in a text that has neither. Empty lines are skipped. Missing cells have no value, and surplus cells are
 * dropped. Both are reported as problems. Throws a `TextError` for a quotation mark that is never closed.
 */
export function* readCsv(
  source: TextSource,
  { delimiter, hasHeader }: Extract<RowsFormat, { kind: 'csv' }>,
  onProblem: (problem: RowProblem) => void,
): Generator<Row, void> {
  let header: readonly string[] | undefined;
  let number = 0;
  for (const { record, line } of readRecords(source, delimiter)) {
    const { cells } = record;
    if (header === undefined) {
      header = toHeader(cells, hasHeader, line, onProblem);
      if (hasHeader) {
        continue;
      }
    }
    number++;
    const report = (template: string, ...args: number[]) => onProblem({ severity: 'warning', row: number, line, text: { template, args } });
    if (record.hasTail) {
      report(unclosed);
    }
    if (cells.length !== header.length) {
      report('Cells in the row: {0}. Columns: {1}.', cells.length, header.length);
    }
    const values = header.slice(0, cells.length).map((name, index) => [name, JSON.stringify(cells[index])] as const);
    yield { number, line, values: new Map(values) };
  }
}

/** Returns the number of cells of each complete record at the start of a text. */
export function countCells(text: string, delimiter: string, maxRecords: number): number[] {
  const counts: number[] = [];
  const csv = new CsvText({ text, isLast: false, lineEnd: lineEndOf(text) }, delimiter);
  for (let at = 0; counts.length < maxRecords; ) {
    const record = csv.record(at);
    if (record === undefined) {
      break;
    }
    at = record.end;
    if (!record.isBlank) {
      counts.push(record.cells.length);
    }
  }
  return counts;
}

function* readRecords(source: TextSource, delimiter: string): Generator<{ readonly record: CsvRecord; readonly line: number }, void> {
  const window = new TextWindow(source);
  // The line terminator is detected from the first piece, so that piece is read in full even if the source returns small chunks.
  while (window.text.length < pieceLength && window.fill(unclosed)) {}
  window.lineEnd = lineEndOf(window.text);
  if (/^sep=.[\r\n]/.test(window.text)) {
    // Skips the `sep=` line with which Excel declares the delimiter.
    window.moveTo(window.text.indexOf(window.lineEnd) + 1);
  }
  let csv = new CsvText(window, delimiter);
  while (!window.isLast || window.at < window.text.length) {
    const record = csv.record(window.at);
    if (record !== undefined) {
      const { line } = window;
      window.moveTo(record.end);
      if (!record.isBlank) {
        yield { record, line };
      }
    } else if (window.isLast) {
      stopReading(window.line, unclosed);
    } else {
      window.fill(unclosed);
      csv = new CsvText(window, delimiter);
    }
  }
}

const unclosed = 'Write quotation marks inside cells twice.';

/** Detects the line terminator of a text from its first piece: LF, or CR if there is no LF outside of quotation marks. */
export function lineEndOf(text: string): '\n' | '\r' {
  let at = 0;
  let hasReturn = false;
  for (let quote = text.indexOf('"'); ; quote = text.indexOf('"', at)) {
    const plain = text.slice(at, quote === -1 ? text.length : quote);
    if (plain.includes('\n')) {
      return '\n';
    }
    hasReturn ||= plain.includes('\r');
    const close = quote === -1 ? -1 : text.indexOf('"', quote + 1);
    if (close === -1) {
      return hasReturn ? '\r' : '\n';
    }
    at = close + 1;
  }
}

/** Returns the Unicode escape of a character for a regular expression. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

class CsvText {
  /** Matches the text of a cell outside of quotation marks, and the delimiter or line end. */
  private readonly cell: RegExp;

  constructor(
    private readonly piece: Readonly<Pick<TextWindow, 'text' | 'isLast' | 'lineEnd'>>,
    private readonly delimiter: string,
  ) {
    const ends = `${escaped(delimiter)}${escaped(piece.lineEnd)}`;
    this.cell = new RegExp(`([^${ends}]*)([${ends}]?)`, 'y');
  }

  /** Returns the record at `start`, or `undefined` if the piece ends before the record does. */
  record(start: number): CsvRecord | undefined {
    const { text, isLast } = this.piece;
    const cells: string[] = [];
    let hasTail = false;
    for (let at = start; ; at = this.cell.lastIndex) {
      const isQuoted = text[at] === '"';
      const close = isQuoted ? this.closingQuote(at) : -1;
      this.cell.lastIndex = isQuoted ? close + 1 : at;
      const [, rest = '', end = ''] = this.cell.exec(text) ?? [];
      if ((isQuoted && close === -1) || (end === '' && !isLast)) {
        return undefined;
      }
      const isLastCell = end !== this.delimiter;
      const tail = isLastCell && rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      hasTail ||= isQuoted && tail !== '';
      cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') + tail : tail);
      if (isLastCell) {
        const isBlank = !isQuoted && cells.length === 1 && tail === '';
        return { cells, end: this.cell.lastIndex, isBlank, hasTail };
      }
    }
  }

  private closingQuote(at: number): number {
    const { text } = this.piece;
    for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 2)) {
      if (text[quote + 1] !== '"') {
        return quote;
      }
    }
    return -1;
  }
}

/** Returns the trimmed, unique column names: an empty name becomes `column3`, a second `name` becomes `name_2`. */
function toHeader(cells: readonly string[], hasHeader: boolean, line: number, onProblem: (problem: RowProblem) => void): readonly string[] {
  const header = new Set<string>();
  for (const [index, raw] of cells.entries()) {
    const cell = raw.trim();
    const wanted = hasHeader && cell !== '' ? cell : `column${index + 1}`;
    let name = wanted;
    for (let copy = 2; header.has(name); copy++) {
      name = `${wanted}_${copy}`;
    }
    if (hasHeader && name !== cell) {
      onProblem({ severity: 'warning', row: undefined, line, text: { template: 'Column {0} is named {1}.', args: [index + 1, name] } });
    }
    header.add(name);
  }
  return [...header];
}
