import type { PassContext } from '../files/lineFile';
import { pieceLength, TextError, TextFile, type TextProblem, type TextSource } from '../reading/textFile';
import { isJson } from '../scanning/jsonMembers';
import { countCells, lineEndOf, readCsv } from './csvRows';
import { readJson, readJsonLines } from './jsonRows';
import type { Row, RowProblem, RowsFormat } from './rowsReport';

/** Detected format of a file of rows. `isSure` is false if another format is as likely. */
interface DetectedFormat {
  readonly format: RowsFormat;
  readonly isSure: boolean;
}

/** Delimiters to try, most common first. */
export const csvDelimiters: readonly string[] = [',', ';', '\t', '|'];

const maxRecords = 50;
const rowsBetweenChecks = 200;

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

/** Visits the rows of a file. Returns its size, and the problem that ended reading early, if any. */
export function forEachRow(
  path: string,
  format: RowsFormat,
  context: PassContext,
  onRow: (row: Row) => void,
  onProblem: (problem: RowProblem) => void,
): { readonly fileBytes: number; readonly stop: TextProblem | undefined } {
  const file = new TextFile(path, context);
  const fileBytes = file.totalBytes;
  try {
    for (const row of readRows(file, format, onProblem)) {
      // Checks for cancellation between rows, because a cancelled job has little time to clean up.
      if (row.number % rowsBetweenChecks === 0) {
        context.throwIfAborted();
      }
      onRow(row);
    }
    return { fileBytes, stop: undefined };
  } catch (error) {
    if (error instanceof TextError) {
      return { fileBytes, stop: error.problem };
    }
    throw error;
  } finally {
    file.close();
  }
}

/** Detects the format of a file from its first 512 KiB and the extension of `name`. Throws a `TextError` if the file is not UTF-8. */
export function detectFileFormat(path: string, name = path): DetectedFormat {
  const file = new TextFile(path);
  try {
    return detectFormat(name, file.read(pieceLength));
  } finally {
    file.close();
  }
}

/** Detects the format from the extension of a name and the start of the text. Assumes that a CSV file has a header row. */
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

/** Returns whether the text is JSONL: an object on the first line and text after that line. A single line counts as JSON. */
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
  // If the text is a whole file, its last record is complete even without a line break. In a longer file, the last record may be cut.
  const records = text.length < pieceLength ? text + lineEndOf(text) : text;
  const found = csvDelimiters
    .map(delimiter => ({ delimiter, ...regularity(countCells(records, delimiter, maxRecords)) }))
    .filter(({ cells }) => cells > 1)
    .sort((a, b) => b.share - a.share || Number(b.delimiter === preferred) - Number(a.delimiter === preferred) || b.cells - a.cells);
  const [best, second] = found;
  if (best === undefined) {
    // No delimiter was found, so the file has one column.
    return csv(preferred, true);
  }
  const isAlone = best.share === 1 ? second?.share !== 1 : second === undefined;
  return csv(best.delimiter, isAlone || (preferred === '\t' && best.delimiter === preferred));
}

function regularity(counts: readonly number[]): { readonly cells: number; readonly share: number } {
  const cells = counts[0] ?? 0;
  return { cells, share: counts.length === 0 ? 0 : counts.filter(count => count === cells).length / counts.length };
}
