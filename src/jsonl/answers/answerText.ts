import type { PassContext } from '../files/lineFile';
import { type BytesPiece, SpanReader, textOf } from '../files/spanReader';
import { failedStatus, storedAnswers } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import { changedResults, type IndexContents } from '../results/resultsIndexFile';
import { decodeStart } from '../results/resultsPreview';
import { answerText, errorText, resultIn, toRecord } from '../results/resultWords';
import { decodeString, JsonBytes } from '../scanning/jsonBytes';

/** Flags indexed like `storedStatuses`. True if rows with that status have a text (an answer or an error message). */
export const hasWords: readonly boolean[] = storedAnswers.map((isAnswer, status) => isAnswer || status === failedStatus);

/** Reads lines of a joined file and their texts: answers or error messages. Blocks the thread, so only for workers. */
export class JoinedReader {
  private readonly json = new JsonBytes();
  private readonly oneText: readonly boolean[];
  private readonly reader: SpanReader;

  constructor(
    private readonly joinedPath: string,
    readonly contents: IndexContents,
  ) {
    this.reader = new SpanReader(joinedPath);
    // With any other stop reason, the answer may contain a tool call before its text.
    this.oneText = [false, ...contents.reasons.map(reason => ['end_turn', 'max_tokens', 'stop_sequence', 'refusal'].includes(reason))];
  }

  line(row: number): BytesPiece {
    const { offsets, lengths } = this.contents.rows;
    return this.reader.read(offsets[row] as number, lengths[row] as number);
  }

  id(row: number): string {
    return this.contents.ids.text(this.contents.rows.ids[row] as number);
  }

  close(): void {
    this.reader.close();
  }

  /** Returns the answer, error message or prompt of a row, or an empty text if it has none. Pass its `line` if it was already read. */
  text(row: number, line = this.line(row)): string {
    const { rows, subject } = this.contents;
    if (subject === 'requests') {
      return requestWords(line);
    }
    const text = rows.texts[row] as number;
    const status = rows.statuses[row] as number;
    if (status === failedStatus) {
      return text === none ? errorText(resultIn(textOf(line))) : this.stringAt(line, line.start + text).text;
    }
    if (storedAnswers[status] !== true) {
      return '';
    }
    if (text !== none && this.oneText[rows.stopReasons[row] as number] === true) {
      const first = this.stringAt(line, line.start + text);
      if (!hasMore(line, first.end)) {
        return first.text;
      }
    }
    return answerText(resultIn(textOf(line)));
  }

  /** Returns the first `most` characters of the error message of a failed row. Reads no more, if the index has the message's position. */
  errorStart(row: number, most: number): string {
    const { offsets, lengths, texts } = this.contents.rows;
    const text = texts[row] as number;
    if (text === none) {
      return this.text(row).slice(0, most);
    }
    // An escaped character takes at most 6 bytes.
    const length = Math.min(1 + most * 6, (lengths[row] as number) - text);
    const { bytes, start, end } = this.reader.read((offsets[row] as number) + text, length);
    const found = decodeStart(bytes.subarray(start, end));
    if (found === undefined) {
      throw changedResults(this.joinedPath);
    }
    return found.text.slice(0, most);
  }

  private stringAt({ bytes, end }: BytesPiece, at: number): { readonly text: string; readonly end: number } {
    this.json.bytes = bytes;
    const stringEnd = bytes[at] === 0x22 ? this.json.skipString(at) : -1;
    if (stringEnd < 0 || stringEnd > end) {
      throw changedResults(this.joinedPath);
    }
    return { text: decodeString(bytes, at, stringEnd), end: stringEnd };
  }
}

/**
 * Calls `visit` for rows of a joined file, in the given order, with the text of each: its answer or error message. A row without a text is
 * not read and gets an empty one. Ascending `rows` are read in large blocks.
 */
export function forEachText(
  joinedPath: string,
  contents: IndexContents,
  rows: Uint32Array,
  context: PassContext,
  visit: (row: number, text: string) => void,
): void {
  const { statuses, lengths } = contents.rows;
  const isRead = (row: number) => hasWords[statuses[row] as number] === true;
  const totalBytes = rows.reduce((sum, row) => sum + (isRead(row) ? (lengths[row] as number) : 0), 0);
  const reader = new JoinedReader(joinedPath, contents);
  let doneBytes = 0;
  try {
    for (const row of rows) {
      if (!isRead(row)) {
        visit(row, '');
        continue;
      }
      visit(row, reader.text(row));
      doneBytes += lengths[row] as number;
      context.throwIfAborted();
      context.progress({ doneBytes, totalBytes });
    }
  } finally {
    reader.close();
  }
}

const textKey = Buffer.from('"text"');
const toolUse = Buffer.from('tool_use"');

/** Returns the prompt of a request line. A line that is not JSON is returned unchanged. */
function requestWords(piece: BytesPiece): string {
  const line = textOf(piece);
  try {
    const request = toRecord(JSON.parse(line));
    return promptText(Object.hasOwn(request, 'params') ? toRecord(request.params) : request);
  } catch {
    return line;
  }
}

function hasMore({ bytes, end }: BytesPiece, from: number): boolean {
  return [textKey, toolUse].some(key => bytes.subarray(from, end).includes(key));
}

/** Returns the prompt as text: its only message, or all with their roles. Other blocks appear as `[type]`. */
export function promptText(params: Readonly<Record<string, unknown>>): string {
  const system = contentText(params.system);
  const messages = (Array.isArray(params.messages) ? params.messages : []).map(toRecord);
  const [only] = messages;
  if (messages.length === 1 && system === '' && only?.role === 'user') {
    return contentText(only.content);
  }
  const turns = messages.map(({ role, content }) => `${typeof role === 'string' ? role : '?'}: ${contentText(content)}`);
  return [...(system === '' ? [] : [`system: ${system}`]), ...turns].join('\n\n');
}

function contentText(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return (Array.isArray(content) ? content : []).map(item => blockText(toRecord(item))).join('\n');
}

function blockText(block: Readonly<Record<string, unknown>>): string {
  if (typeof block.text === 'string') {
    return block.text;
  }
  const nested = block.type === 'tool_result' ? contentText(block.content) : '';
  const kind = `[${typeof block.type === 'string' ? block.type : '?'}]`;
  return nested === '' ? kind : `${kind} ${nested}`;
}
