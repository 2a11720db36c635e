import { isJson } from '../scanning/jsonMembers';
import { countCells, lineEndOf, readCsv } from './csvRows';
import { readJson, readJsonLines } from './jsonRows';
import type { Row } from './row';
import type { RowProblem, RowsFormat } from './rowsReport';
import { pieceLength, TextFile, type TextSource } from './textSource';

/** What a file's rows are taken for, and whether anything else is as likely. */
export interface DetectedFormat {
  readonly format: RowsFormat;
  readonly isSure: boolean;
}

/** Delimiters that are looked for, the most usual first. */
export const csvDelimiters: readonly string[] = [',', ';', '\t', '|'];

const mostRecords = 50;

/** Reads the rows of a text in its format, one at a time. */
export function readRows(source: TextSource, format: RowsFormat, onProblem: (problem: RowProblem) => void): Generator<Row, void> {
  switch (format.kind) {
    case 'csv':
      return readCsv(source, format, onProblem);
    case 'jsonl':
      return readJsonLines(source, onProblem);
    case 'json':
      return readJson(source, onProblem);
  }
}

/** Tells the format of a file by its first 512 KiB and its name, or another. Throws a `RowsError` when those are not UTF-8. */
export function detectFileFormat(path: string, name = path): DetectedFormat {
  const file = new TextFile(path);
  try {
    return detectFormat(name, file.read(pieceLength));
  } finally {
    file.close();
  }
}

/** Tells the format by the ending of a name and the begin of the text. A header row is expected in every CSV. */
export function detectFormat(name: string, start: string): DetectedFormat {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const text = start.trimStart();
  if (/^(?:jsonl|ndjson)$/.test(ending)) {
    return { format: { kind: 'jsonl' }, isSure: true };
  }
  if (ending === 'json' || (!/^(?:csv|tsv|tab)$/.test(ending) && /^[[{]/.test(text))) {
    return { format: { kind: hasRowOnEachLine(text) ? 'jsonl' : 'json' }, isSure: true };
  }
  return detectDelimiter(ending, start);
}

/** A file of one line is one JSON text: only an object with another line after it makes it JSONL. */
function hasRowOnEachLine(text: string): boolean {
  const end = text.indexOf('\n');
  return text.startsWith('{') && end !== -1 && text.slice(end).trim() !== '' && isJson(text.slice(0, end));
}

function detectDelimiter(ending: string, text: string): DetectedFormat {
  const csv = (delimiter: string, isSure: boolean): DetectedFormat => ({ format: { kind: 'csv', delimiter, hasHeader: true }, isSure });
  const noted = /^sep=(.)[\r\n]/.exec(text)?.[1];
  if (noted !== undefined) {
    return csv(noted, true);
  }
  const preferred = /^(?:tsv|tab)$/.test(ending) ? '\t' : ',';
  // Of a longer file the last record may be cut.
  const records = text.length < pieceLength ? text + lineEndOf(text) : text;
  const found = csvDelimiters
    .map(delimiter => ({ delimiter, ...regularity(countCells(records, delimiter, mostRecords)) }))
    .filter(({ cells }) => cells > 1)
    .sort((a, b) => b.share - a.share || Number(b.delimiter === preferred) - Number(a.delimiter === preferred) || b.cells - a.cells);
  const [best, second] = found;
  if (best === undefined) {
    // One column, as far as one can see.
    return csv(preferred, true);
  }
  const isAlone = best.share === 1 ? second?.share !== 1 : second === undefined;
  return csv(best.delimiter, isAlone || (preferred === '\t' && best.delimiter === preferred));
}

/** How many cells the header has, and which share of the records has as many. */
function regularity(counts: readonly number[]): { readonly cells: number; readonly share: number } {
  const cells = counts[0] ?? 0;
  return { cells, share: counts.length === 0 ? 0 : counts.filter(count => count === cells).length / counts.length };
}
