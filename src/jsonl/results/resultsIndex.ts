import { type FileHandle, open, readFile } from 'node:fs/promises';
import { parseExact } from '../../shared/exactJson';
import { hasAnswer } from '../../shared/results/resultStatus';
import { fromStored } from './resultStatus';
import { none } from './resultsFile';
import { changedResults, type IndexContents, parseIndex, sampleOf, samplePlaces, type TableSubject } from './resultsIndexFile';
import { previewBytes, toFirstWords, toPreview } from './resultsPreview';
import type { ResultEntry } from './resultsReport';
import { answerText } from './resultWords';

/** Gap between two previews over which one read goes on. */
const gapBytes = 16 << 10;
const longestRead = 1 << 20;

/**
 * The results of a joined file, found by id or by source line without reading it: a few megabytes for 100,000 rows. Files are open
 * only while something is read, so that newer results can take their place; reading then fails with `IndexMismatchError`.
 */
export class ResultsIndex {
  private constructor(
    private readonly contents: IndexContents,
    private readonly joinedPath: string,
  ) {}

  /** Opens an index and makes sure that it was made for the file at `joinedPath`. Throws `IndexMismatchError`. */
  static async open(indexPath: string, joinedPath: string): Promise<ResultsIndex> {
    const contents = await readIndex(indexPath);
    const file = await open(joinedPath, 'r');
    try {
      const { size } = await file.stat();
      if (size !== contents.joinedBytes || (await sample(file, size)) !== contents.sample) {
        throw changedResults(joinedPath);
      }
    } finally {
      await file.close();
    }
    return new ResultsIndex(contents, joinedPath);
  }

  get subject(): TableSubject {
    return this.contents.subject;
  }

  /** Number of rows. */
  get size(): number {
    return this.contents.rows.count;
  }

  /** Whether the joined file was compared to the last byte when this was opened. */
  get isSampledWhole(): boolean {
    return samplePlaces(this.contents.joinedBytes).length === 1;
  }

  entryOfId(id: string): ResultEntry | undefined {
    const bytes = Buffer.from(id);
    const number = this.contents.ids.find(bytes, 0, bytes.length);
    const row = number < 0 ? none : (this.contents.rowOfId[number] as number);
    return row === none ? undefined : this.entry(row);
  }

  /** The result of the request that stood on `line` (from 0) at the time of submission. */
  entryOfLine(line: number): ResultEntry | undefined {
    const { lines } = this.contents;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const found = lines[middle] as number;
      // Rows without a line stand last.
      if (found >= 0 && found < line) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < this.size && line >= 0 && lines[low] === line ? this.entry(low) : undefined;
  }

  /** The entry of a row of the joined file, from 0; undefined when there is no such row. */
  entryOfRow(row: number): ResultEntry | undefined {
    return row >= 0 && row < this.size ? this.entry(row) : undefined;
  }

  /** The entries in the order of the joined file, made as they are taken. */
  *entries(): Generator<ResultEntry, void> {
    for (let row = 0; row < this.size; row++) {
      yield this.entry(row);
    }
  }

  /** Ids of the input that have no answer, in its order, made as they are taken. */
  *missingIds(): Generator<string, void> {
    const { rowOfId, ids } = this.contents;
    for (let id = 0; id < rowOfId.length; id++) {
      if (rowOfId[id] === none) {
        yield ids.text(id);
      }
    }
  }

  /** The line of an entry: of results the JSON text `{"custom_id":...,"line":...,"result":...}`, of requests as it stands in its file. */
  async read(entry: ResultEntry): Promise<string> {
    const file = await open(this.joinedPath, 'r');
    try {
      const text = (await readSpan(file, entry.offset, entry.length)).toString('utf8');
      if (this.contents.subject === 'results' && !isResult(text, entry)) {
        throw changedResults(this.joinedPath);
      }
      return text;
    } finally {
      await file.close();
    }
  }

  /**
   * Returns the first words of each answer on one line, or the error's type and message; empty if there are none. For an answer without
   * text, these are the words of its tool calls. Entries that are near each other in the file are read together.
   */
  async previews(entries: readonly ResultEntry[]): Promise<readonly string[]> {
    const { texts } = this.contents.rows;
    const previews = entries.map(entry => entry.errorType ?? '');
    const wanted = entries
      .map((entry, place) => ({ entry, place, text: texts[entry.row] ?? none }))
      .filter(({ text }) => text !== none)
      .map(({ entry, place, text }) => ({
        entry,
        place,
        start: entry.offset + text,
        end: entry.offset + Math.min(text + previewBytes, entry.length),
      }))
      .sort((a, b) => a.start - b.start);
    if (wanted.length === 0 && !entries.some(entry => this.mayCallTools(entry))) {
      return previews;
    }
    const file = await open(this.joinedPath, 'r');
    try {
      for (let first = 0; first < wanted.length; ) {
        const start = wanted[first]?.start ?? 0;
        let end = wanted[first]?.end ?? 0;
        let next = first + 1;
        for (let candidate = wanted[next]; candidate !== undefined; candidate = wanted[next]) {
          if (candidate.start - end > gapBytes || candidate.end - start > longestRead) {
            break;
          }
          end = Math.max(end, candidate.end);
          next++;
        }
        const bytes = await readSpan(file, start, end - start);
        for (const item of wanted.slice(first, next)) {
          const text = toPreview(bytes.subarray(item.start - start, item.end - start));
          if (text === undefined) {
            throw changedResults(this.joinedPath);
          }
          const { errorType } = item.entry;
          previews[item.place] = errorType === undefined ? text : `${errorType}: ${text}`;
        }
        first = next;
      }
      for (const [place, entry] of entries.entries()) {
        if (previews[place] === '' && this.mayCallTools(entry)) {
          previews[place] = toFirstWords(wordsOf(await readSpan(file, entry.offset, entry.length)));
        }
      }
    } finally {
      await file.close();
    }
    return previews;
  }

  private mayCallTools({ status, length }: ResultEntry): boolean {
    return this.subject === 'results' && hasAnswer(status) && length <= longestRead;
  }

  private entry(row: number): ResultEntry {
    const { rows, ids, lines, reasons } = this.contents;
    return {
      row,
      customId: ids.text(rows.ids[row] as number),
      line: lines[row] as number,
      status: fromStored(rows.statuses[row]),
      stopReason: reasons[(rows.stopReasons[row] as number) - 1],
      errorType: reasons[(rows.errorTypes[row] as number) - 1],
      inputTokens: rows.inputTokens[row] as number,
      outputTokens: rows.outputTokens[row] as number,
      offset: rows.offsets[row] as number,
      length: rows.lengths[row] as number,
    };
  }
}

/** Returns the words of a joined line; empty if it can't be parsed. */
function wordsOf(line: Buffer): string {
  try {
    const { result } = parseExact(line.toString('utf8')) as { readonly result: Readonly<Record<string, unknown>> };
    return answerText(result);
  } catch {
    return '';
  }
}

function isResult(text: string, { customId }: ResultEntry): boolean {
  return text.startsWith(`{"custom_id":${JSON.stringify(customId)},`) && text.endsWith('}');
}

/** Reads an index without its joined file. Throws `IndexMismatchError`. */
export async function readIndex(path: string): Promise<IndexContents> {
  return parseIndex(await readFile(path), path);
}

async function sample(file: FileHandle, size: number): Promise<string> {
  const blocks: Uint8Array[] = [];
  for (const { offset, length } of samplePlaces(size)) {
    blocks.push(await readSpan(file, offset, length));
  }
  return sampleOf(size, blocks);
}

/** Reads `length` bytes, fewer when the file ends before. */
async function readSpan(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) {
      break;
    }
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
