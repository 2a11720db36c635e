import { parseExact } from '../../shared/exactJson';
import type { PassContext } from '../files/lineFile';
import { storedAnswers, toStored } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import { changedResults, type IndexContents } from '../results/resultsIndexFile';
import { answerText, errorText } from '../results/resultWords';
import { toRecord } from '../results/toRecord';
import { decodeString, JsonBytes } from '../scanning/jsonBytes';
import { type BytesPiece, BytesReader } from './bytesReader';
import { promptText } from './promptText';

const failedStatus = toStored('failed');

/** True if rows have words, an answer or an error message, by the position of their status in `storedStatuses`. */
export const hasWords: readonly boolean[] = storedAnswers.map((isAnswer, status) => isAnswer || status === failedStatus);

/** Reads what a joined line says: the answer, or the error's message. Lines are those of one joined file. */
export class AnswerTexts {
  private readonly json = new JsonBytes();
  private readonly oneText: readonly boolean[];

  constructor(
    private readonly joinedPath: string,
    private readonly contents: Pick<IndexContents, 'subject' | 'rows' | 'reasons'>,
  ) {
    // An answer that ended for another reason may have used a tool before it spoke.
    this.oneText = [false, ...contents.reasons.map(reason => ['end_turn', 'max_tokens', 'stop_sequence', 'refusal'].includes(reason))];
  }

  /** The words of a row; empty where there are none. */
  of(row: number, line: BytesPiece): string {
    const { rows, subject } = this.contents;
    if (subject === 'requests') {
      return requestWords(line);
    }
    const text = rows.texts[row] as number;
    const status = rows.statuses[row] as number;
    if (status === failedStatus) {
      return text === none ? errorText(parse(line)) : this.stringAt(line, line.start + text).text;
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
    return answerText(parse(line));
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
 * The words of rows of a joined file, in the given order: the answer, or what the error says; empty for rows that have neither, which are
 * not read. `rows` that ascend are read in large pieces.
 */
export function forEachText(
  joinedPath: string,
  contents: IndexContents,
  rows: Uint32Array,
  context: PassContext,
  visit: (row: number, text: string) => void,
): void {
  const { statuses, offsets, lengths } = contents.rows;
  const isRead = (row: number) => hasWords[statuses[row] as number] === true;
  const totalBytes = rows.reduce((sum, row) => sum + (isRead(row) ? (lengths[row] as number) : 0), 0);
  const texts = new AnswerTexts(joinedPath, contents);
  const reader = new BytesReader(joinedPath);
  let doneBytes = 0;
  try {
    for (const row of rows) {
      if (!isRead(row)) {
        visit(row, '');
        continue;
      }
      const length = lengths[row] as number;
      visit(row, texts.of(row, reader.read(offsets[row] as number, length)));
      doneBytes += length;
      context.throwIfAborted();
      context.progress({ doneBytes, totalBytes });
    }
  } finally {
    reader.close();
  }
}

const textKey = Buffer.from('"text"');
const toolUse = Buffer.from('tool_use"');

/** What a request asks; a line that is none as it stands. */
function requestWords({ bytes, start, end }: BytesPiece): string {
  const line = bytes.toString('utf8', start, end);
  try {
    const request = toRecord(JSON.parse(line));
    return promptText(Object.hasOwn(request, 'params') ? toRecord(request.params) : request);
  } catch {
    return line;
  }
}

/** Whether another block that counts may follow. */
function hasMore({ bytes, end }: BytesPiece, from: number): boolean {
  return [textKey, toolUse].some(key => {
    const at = bytes.subarray(from, end).indexOf(key);
    return at >= 0;
  });
}

function parse({ bytes, start, end }: BytesPiece): Readonly<Record<string, unknown>> {
  return toRecord(toRecord(parseExact(bytes.toString('utf8', start, end))).result);
}
