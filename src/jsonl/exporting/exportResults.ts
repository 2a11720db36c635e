import { existsSync } from 'node:fs';
import { hasAnswer, toStatusWord } from '../../shared/results/resultStatus';
import { toFence, toPlainLine, toQuotedMarkdown } from '../../shared/session/rows/markdownText';
import { prettyAnswer } from '../answers/answerJson';
import { JoinedReader, promptText } from '../answers/answerText';
import { fieldText, RequestFields } from '../fields/fieldsFile';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { type BytesPiece, SpanReader, textOf } from '../files/spanReader';
import type { JoinedResults } from '../results/joinedResults';
import { type IndexContents, outcomeOf, readIndexOf } from '../results/resultsIndexFile';
import { countsOf } from '../results/resultUsage';
import { answerText, errorText, resultIn, toRecord } from '../results/resultWords';
import { costOfTokens, type TokenPrices } from '../results/tokenCost';
import { findSubmitted, readSentRequests, type SentRequests, type SubmittedFile } from '../retrying/findSubmitted';
import { JsonBytes } from '../scanning/jsonBytes';
import { longestCell, toCsvRecord } from './csvCell';
import { maskLine } from './maskLine';

export type ExportFormat = 'csv' | 'json' | 'markdown' | 'jsonl';

export interface ExportSource extends JoinedResults {
  readonly format: ExportFormat;
  readonly outPath: string;
  /** Rows of the joined file to write, in order. Default: all rows. */
  readonly rows?: Uint32Array;
  /** Files with the requests to export too, oldest first, unless they changed or their list is lost. The last file with an id wins. */
  readonly requests?: readonly SubmittedFile[];
  /** File with extra fields of the requests (see `RequestFields`), exported together with the answers. */
  readonly fieldsPath?: string;
  /** True to write CSV for Excel: with a byte order mark, so that Excel reads UTF-8, and with cells cut to Excel's maximum length. */
  readonly isForExcel?: boolean;
  readonly prices?: Readonly<Record<string, TokenPrices>>;
  readonly words: ExportWords;
}

/** Words of an exported page, in the user's language. */
export interface ExportWords {
  readonly title: string;
  readonly request: string;
  readonly answer: string;
  readonly error: string;
  /** Template such as `line {0}`, with `{0}` for the number. */
  readonly line: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
}

export interface ExportReport {
  readonly written: number;
  /** Number of results whose request should be exported but was not found. */
  readonly withoutRequest: number;
  /** Number of rows with a cell that is too long for a spreadsheet. Such cells are cut for Excel and complete in other files. */
  readonly overlong: number;
}

/** First columns of every CSV file. `requestColumns` are added if requests are exported. */
const columns = [
  ...['id', 'line', 'status', 'stop_reason', 'error_type', 'error_message', 'input_tokens', 'output_tokens'],
  ...['cache_read_tokens', 'cache_write_tokens'],
];
const requestColumns = ['model', 'prompt'];

/** Texts of one row: the joined line of a result, and the `params` of its request. Secrets are masked. */
interface RowTexts {
  readonly row: number;
  readonly line: string;
  readonly params: string | undefined;
  /** Extra fields of the request, each as JSON. */
  readonly fields: ReadonlyMap<string, string> | undefined;
}

interface Form {
  readonly head?: string;
  /** Returns the text of a row. `isFirst` is true for the first row of the file. */
  row(texts: RowTexts, isFirst: boolean): string;
  readonly foot?: string;
}

/**
 * Exports joined results row by row. CSV is safe to open in a spreadsheet (see `toCsvCell`). JSONL has the joined lines, unchanged except
 * for masked secrets and added requests, and JSON is an array of them. The file is written completely or not at all. Memory grows with the
 * longest line. Blocks the thread, so only for workers. Throws `IndexMismatchError` and `FileWriteError`.
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
  const { head = '', row: toText, foot = '' } = toForm(source, contents, fields.names, () => overlong++);
  let withoutRequest = 0;
  let doneBytes = 0;
  try {
    await writeWholeFiles(context, async files => {
      const writer = await files.create(source.outPath);
      writer.addText(head);
      rows.forEach((row, index) => {
        const line = reader.line(row);
        const texts = toTexts(row, line, requests, fields.of(reader.id(row)));
        if (requests !== undefined && texts.params === undefined) {
          withoutRequest++;
        }
        writer.addText(toText(texts, index === 0));
        doneBytes += lengths[row] as number;
        context.throwIfAborted();
        context.progress({ doneBytes, totalBytes });
      });
      writer.addText(foot);
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
  switch (source.format) {
    case 'jsonl':
      return { row: ({ line }) => `${line}\n` };
    case 'json':
      return { head: '[', row: ({ line }, isFirst) => `${isFirst ? '\n' : ',\n'}${line}`, foot: '\n]\n' };
    case 'markdown':
      return {
        head: `# ${toPlainLine(source.words.title)}\n`,
        row: texts => toMarkdownSection(toExportedRow(texts, contents), namedTexts(names, texts), source.words),
      };
    case 'csv':
      return toCsvForm(source, contents, names, onOverlong);
  }
}

function namedTexts(names: readonly string[], { fields }: RowTexts): readonly string[] {
  return names.flatMap(name => (fields?.has(name) === true ? [`${name}: ${fieldText(fields.get(name))}`] : []));
}

function toCsvForm(
  { requests, isForExcel = false, prices }: ExportSource,
  contents: IndexContents,
  names: readonly string[],
  onOverlong: () => void,
): Form {
  const head = [
    ...[...columns, ...(prices === undefined ? [] : ['cost']), 'text'],
    ...(requests === undefined ? [] : requestColumns),
    ...names.map(name => `fields.${name}`),
  ];
  return {
    head: `${isForExcel ? '\ufeff' : ''}${toCsvRecord(head)}`,
    row: texts => {
      const found = toExportedRow(texts, contents, prices);
      const { id, status, stopReason, errorType, errorMessage, inputTokens, outputTokens, text, request } = found;
      const cells = [
        ...[id, found.line ?? '', toStatusWord(status, text => text), stopReason, errorType, errorMessage, inputTokens, outputTokens],
        ...[found.cacheReadTokens, found.cacheWriteTokens, ...(prices === undefined ? [] : [found.cost ?? '']), text],
        ...(requests === undefined ? [] : [request?.model ?? '', request?.prompt ?? '']),
        ...names.map(name => fieldText(texts.fields?.get(name))),
      ];
      if (cells.some(cell => typeof cell === 'string' && cell.length > longestCell)) {
        onOverlong();
      }
      return toCsvRecord(cells, isForExcel ? longestCell : undefined);
    },
  };
}

type ExportedRow = ReturnType<typeof toExportedRow>;

/** Returns the values of an exported row. The cost is `undefined` if a price or a count is missing. */
function toExportedRow({ row, line, params }: RowTexts, contents: IndexContents, prices: ExportSource['prices'] = {}) {
  const result = resultIn(line);
  const { rows, ids, lines, reasons } = contents;
  const { status, stopReason = '', errorType = '' } = outcomeOf(contents, row);
  const request = params === undefined ? undefined : toRecord(JSON.parse(params));
  const number = lines[row] as number;
  return {
    id: ids.text(rows.ids[row] as number),
    line: number < 0 ? undefined : number + 1,
    status,
    stopReason,
    errorType,
    errorMessage: status === 'failed' ? errorText(result) : '',
    inputTokens: rows.inputTokens[row] as number,
    outputTokens: rows.outputTokens[row] as number,
    cacheReadTokens: rows.cacheReadTokens[row] as number,
    cacheWriteTokens: rows.cacheWriteTokens[row] as number,
    cost: hasAnswer(status) ? costOf(row, rows, prices[reasons[(rows.models[row] as number) - 1] ?? '']) : undefined,
    text: hasAnswer(status) ? answerText(result) : '',
    request: request && { model: typeof request.model === 'string' ? request.model : '', prompt: promptText(request) },
  };
}

/** Returns the cost of an answer, or `undefined` if its price, its token counts or the lifetime of its cached tokens is unknown. */
function costOf(row: number, rows: IndexContents['rows'], prices: TokenPrices | undefined): number | undefined {
  if (prices === undefined || rows.uncounted[row] !== 0) {
    return undefined;
  }
  const { low, high } = costOfTokens(countsOf(rows, row), prices);
  return low === high ? Number(low.toPrecision(12)) : undefined;
}

/** Returns a result as a section with facts, request and answer. Escapes all texts, so that they can't change the page structure. */
function toMarkdownSection(row: ExportedRow, fields: readonly string[], words: ExportWords): string {
  const fill = (template: string, value: number) => template.replace('{0}', String(value));
  const facts = [
    ...(row.line === undefined ? [] : [fill(words.line, row.line)]),
    toStatusWord(row.status, text => text),
    ...(row.stopReason === '' ? [] : [row.stopReason]),
    ...(row.errorType === '' ? [] : [row.errorType]),
    ...(hasAnswer(row.status) ? [fill(words.inputTokens, row.inputTokens), fill(words.outputTokens, row.outputTokens)] : []),
    ...(row.request === undefined || row.request.model === '' ? [] : [row.request.model]),
    ...fields,
  ];
  const sections = [
    `\n## ${toPlainLine(row.id)}\n`,
    `${facts.map(fact => toPlainLine(fact)).join(' · ')}${row.status !== 'succeeded' ? ' ⚠' : ''}\n`,
  ];
  const bodies = [
    [words.request, row.request?.prompt],
    [words.answer, row.text === '' ? undefined : row.text],
    [words.error, row.errorMessage === '' ? undefined : row.errorMessage],
  ] as const;
  for (const [title, text] of bodies) {
    if (text !== undefined) {
      sections.push(`### ${toPlainLine(title)}\n`, toBody(text));
    }
  }
  return sections.join('\n');
}

function toBody(text: string): string {
  const json = prettyAnswer(text);
  return json === undefined ? toQuotedMarkdown(text) : `${toFence(json, 'json')}\n`;
}

const beforeRequest = Buffer.from(',"request":');

/** Returns the request in a joined line, and the offset after the line number, where a request can be inserted. */
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

  /** Locates the requests. Skips files that are missing or have changed since submission, and files with uncertain requests. */
  constructor(files: readonly SubmittedFile[], { ids, rowOfId }: IndexContents, context: PassContext) {
    const lists = readSentRequests(files);
    for (const [index, file] of files.entries()) {
      const { map, isCertain } = lists[index] as SentRequests;
      if (!isCertain || !existsSync(file.path)) {
        continue;
      }
      const reader = new SpanReader(file.path);
      this.readers.push(reader);
      const found = new Map<number, readonly [SpanReader, number, number]>();
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

  /** Returns the `params` of a row, or `undefined` if no file has the request. Valid until the next call. */
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
