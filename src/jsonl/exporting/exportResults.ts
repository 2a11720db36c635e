import { existsSync } from 'node:fs';
import { toStatusWord } from '../../shared/results/resultStatus';
import { JoinedReader } from '../answers/answerText';
import { fieldText, RequestFields } from '../fields/fieldsFile';
import { type BlockWriter, writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import { type BytesPiece, SpanReader, textOf } from '../files/spanReader';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { findSubmitted } from '../retrying/findSubmitted';
import type { SubmittedFile } from '../retrying/findSubmitted';
import { JsonBytes } from '../scanning/jsonBytes';
import { longestCell, toCsvRecord } from './csvCell';
import { toExportedRow, toMarkdownHead, toMarkdownSection } from './exportedRow';
import type { ExportReport, ExportSource } from './exportingJobs';
import { maskLine } from './maskLine';

/** Columns of a CSV file. The cost needs prices, and `requestColumns` need requests. */
const columns = ['id', 'line', 'status', 'stop_reason', 'error_type', 'error_message', 'input_tokens', 'output_tokens'];
const cacheColumns = ['cache_read_tokens', 'cache_write_tokens'];
const requestColumns = ['model', 'prompt'];

/** Texts of one row: its joined line, and the `params` of its request. Secrets are masked. */
interface RowTexts {
  readonly row: number;
  readonly line: string;
  readonly params: string | undefined;
  /** Extra fields of the request, each as JSON. */
  readonly fields: ReadonlyMap<string, string> | undefined;
}

interface Form {
  readonly head: string;
  /** Returns the text of a row. `isFirst` is true for the first row of the file. */
  row(texts: RowTexts, isFirst: boolean): string;
  readonly foot: string;
}

/**
 * Exports joined results row by row. CSV is safe to open in a spreadsheet (see `toCsvCell`). JSONL has the joined lines, unchanged except
 * for masked secrets and added requests, and JSON is an array of them. The file is written completely or not at all. Memory grows with the
 * longest line. Blocks the thread, so only for workers. Throws `IndexMismatchError`, `LineMapError` and `FileWriteError`.
 */
export async function exportResults(source: ExportSource, context: PassContext): Promise<ExportReport> {
  const contents = readIndexOf(source);
  const { lengths, count } = contents.rows;
  const rows = source.rows ?? Uint32Array.from({ length: count }, (_, row) => row);
  const totalBytes = rows.reduce((sum, row) => sum + (lengths[row] as number), 1);
  const silent = { ...context, progress: () => {} };
  const requests = source.requests && new RequestsBeside(source.requests, contents, silent);
  const reader = new JoinedReader(source.joinedPath, contents);
  let overlong = 0;
  const fields = RequestFields.read(source.fieldsPath, () => context.throwIfAborted());
  const form = toForm(source, contents, fields.names, () => overlong++);
  let withoutRequest = 0;
  let doneBytes = 0;
  try {
    await writeWholeFiles(context, async files => {
      const writer: BlockWriter = await files.create(source.outPath);
      writer.addText(form.head);
      rows.forEach((row, index) => {
        const line = reader.line(row);
        const texts = toTexts(row, line, requests, fields.of(reader.id(row)));
        if (requests !== undefined && texts.params === undefined) {
          withoutRequest++;
        }
        writer.addText(form.row(texts, index === 0));
        doneBytes += lengths[row] as number;
        context.throwIfAborted();
        context.progress({ doneBytes, totalBytes });
      });
      writer.addText(form.foot);
    });
  } finally {
    reader.close();
    requests?.close();
  }
  return { written: rows.length, withoutRequest, overlong };
}

function toTexts(row: number, piece: BytesPiece, requests: RequestsBeside | undefined, fields: RowTexts['fields']): RowTexts {
  const { head, request } = partsOf(piece);
  const added = request === undefined ? requests?.of(row) : undefined;
  const found = requests && (request ?? added);
  const params = found && maskLine(textOf(found));
  const { bytes, start, end } = piece;
  const line =
    added === undefined
      ? maskLine(textOf(piece))
      : `${bytes.toString('utf8', start, head)},"request":${params}${maskLine(bytes.toString('utf8', head, end))}`;
  if (fields === undefined) {
    return { row, line, params, fields };
  }
  const members = [...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join();
  return { row, line: `${line.slice(0, line.lastIndexOf('}'))},"fields":${maskLine(`{${members}}`)}}`, params, fields };
}

/** Returns the writer for the format of the file. Calls `onOverlong` for each row with a cell of more than `longestCell` characters. */
function toForm(source: ExportSource, contents: IndexContents, names: readonly string[], onOverlong: () => void): Form {
  const { format, words } = source;
  switch (format) {
    case 'jsonl':
      return { head: '', row: ({ line }) => `${line}\n`, foot: '' };
    case 'json':
      return { head: '[', row: ({ line }, isFirst) => `${isFirst ? '\n' : ',\n'}${line}`, foot: '\n]\n' };
    case 'markdown':
      return {
        head: toMarkdownHead(words),
        row: ({ row, line, params, fields }) =>
          toMarkdownSection(toExportedRow(row, contents, line, params, { fields: toFieldTexts(names, fields) }), words),
        foot: '',
      };
    case 'csv':
      return toCsvForm(source, contents, names, onOverlong);
  }
}

function toFieldTexts(names: readonly string[], fields: RowTexts['fields']): readonly (readonly [name: string, text: string])[] {
  return names.flatMap(name => (fields?.has(name) === true ? [[name, fieldText(fields.get(name))] as const] : []));
}

function toCsvForm(
  { requests, isForExcel = false, prices }: ExportSource,
  contents: IndexContents,
  names: readonly string[],
  onOverlong: () => void,
): Form {
  const head = [
    ...[...columns, ...cacheColumns, ...(prices === undefined ? [] : ['cost']), 'text'],
    ...(requests === undefined ? [] : requestColumns),
    ...names.map(name => `fields.${name}`),
  ];
  return {
    head: `${isForExcel ? '\ufeff' : ''}${toCsvRecord(head)}`,
    row: ({ row, line, params, fields }) => {
      const found = toExportedRow(row, contents, line, params, prices && { prices });
      const { id, status, stopReason, errorType, errorMessage, inputTokens, outputTokens, text, request } = found;
      const cells = [
        ...[id, found.line ?? '', toStatusWord(status, text => text), stopReason, errorType, errorMessage, inputTokens, outputTokens],
        ...[found.cacheReadTokens, found.cacheWriteTokens, ...(prices === undefined ? [] : [found.cost ?? '']), text],
        ...(requests === undefined ? [] : [request?.model ?? '', request?.prompt ?? '']),
        ...names.map(name => fieldText(fields?.get(name))),
      ];
      if (cells.some(cell => typeof cell === 'string' && cell.length > longestCell)) {
        onOverlong();
      }
      return toCsvRecord(cells, isForExcel ? longestCell : undefined);
    },
    foot: '',
  };
}

const beforeRequest = Buffer.from(',"request":');

/** Returns the request in a joined line, and the offset after the line number. A request can be inserted at that offset. */
function partsOf({ bytes, start }: BytesPiece): { readonly head: number; readonly request: BytesPiece | undefined } {
  const json = new JsonBytes();
  json.bytes = bytes;
  // Each joined line starts with `{"custom_id":"...","line":N`.
  const id = json.skipString(start + '{"custom_id":'.length);
  const head = json.skipValue(id + ',"line":'.length);
  const from = head + beforeRequest.length;
  const hasRequest = bytes.compare(beforeRequest, 0, beforeRequest.length, head, from) === 0;
  return { head, request: hasRequest ? { bytes, start: from, end: json.skipValue(from) } : undefined };
}

/** Reads the `params` of the requests for rows of a joined file, from the files that were submitted. */
class RequestsBeside {
  private readonly readers: SpanReader[] = [];
  private readonly spans = new Map<number, readonly [reader: SpanReader, offset: number, length: number]>();

  /** Locates the requests. Skips files that are missing or have changed since submission. */
  constructor(files: readonly SubmittedFile[], { ids, rowOfId }: IndexContents, context: PassContext) {
    for (const file of files.filter(({ path }) => existsSync(path))) {
      const reader = new SpanReader(file.path);
      this.readers.push(reader);
      const found = new Map<number, readonly [SpanReader, number, number]>();
      const map = readLineMap(file.linesPath);
      const fate = findSubmitted(file, map, context, (number, { offset, start, paramsStart, paramsEnd }) => {
        const row = rowOfId[ids.findFrom(map.ids, number)];
        if (row !== undefined && paramsStart >= 0) {
          found.set(row, [reader, offset + paramsStart - start, paramsEnd - paramsStart]);
        }
      });
      for (const [row, span] of fate === 'same' ? found : []) {
        this.spans.set(row, span);
      }
    }
  }

  /** Returns the `params` of a row, or `undefined` if no file has them. Valid until the next call. */
  of(row: number): BytesPiece | undefined {
    const [reader, offset = 0, length = 0] = this.spans.get(row) ?? [];
    return reader?.read(offset, length);
  }

  close(): void {
    for (const reader of this.readers) {
      reader.close();
    }
  }
}
