import { type FileHandle, open, readFile } from 'node:fs/promises';
import { hasAnswer } from '../../shared/results/resultStatus';
import { none } from './resultsFile';
import { changedResults, type IndexContents, outcomeOf, parseIndex, sampledBlocks, sampleOf, type TableSubject } from './resultsIndexFile';
import { previewBytes, toFirstWords, toPreview } from './resultsPreview';
import type { ResultEntry } from './resultsReport';
import { answerText, resultIn } from './resultWords';

/** Maximum length of a line, in bytes, that is read whole for its preview. */
const maxReadBytes = 1 << 20;

/**
 * Index of a joined file, to find results by id or by source line without reading the file. The index takes a few megabytes for 100,000
 * rows. The joined file is only open during reads, so that newer results can replace it. After a replacement, reads throw an
 * `IndexMismatchError`.
 */
export class ResultsIndex {
  private constructor(
    private readonly contents: IndexContents,
    private readonly joinedPath: string,
  ) {}

  /** Opens an index and verifies that it belongs to the file at `joinedPath`. Throws an `IndexMismatchError` if not. */
  static async open(indexPath: string, joinedPath: string): Promise<ResultsIndex> {
    const contents = parseIndex(await readFile(indexPath), indexPath);
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

  static async fits(indexPath: string, joinedPath: string): Promise<boolean> {
    return await ResultsIndex.open(indexPath, joinedPath).then(
      () => true,
      () => false,
    );
  }

  get subject(): TableSubject {
    return this.contents.subject;
  }

  get size(): number {
    return this.contents.rows.count;
  }

  /** True if opening the index compared every byte of the joined file, not just samples. */
  get isSampledWhole(): boolean {
    return sampledBlocks(this.contents.joinedBytes).length === 1;
  }

  entryOfId(id: string): ResultEntry | undefined {
    const number = this.contents.ids.findText(id);
    const row = number < 0 ? none : (this.contents.rowOfId[number] as number);
    return row === none ? undefined : this.entry(row);
  }

  /** Returns the result of the request that was on `line` (0-based) at submission. */
  entryOfLine(line: number): ResultEntry | undefined {
    return line < 0 ? undefined : this.entryOfRow(this.contents.lines.indexOf(line));
  }

  /** Returns the entry of a row (0-based) of the joined file, or `undefined` if there is no such row. */
  entryOfRow(row: number): ResultEntry | undefined {
    return row >= 0 && row < this.size ? this.entry(row) : undefined;
  }

  *entries(): Generator<ResultEntry, void> {
    for (let row = 0; row < this.size; row++) {
      yield this.entry(row);
    }
  }

  /** Yields the ids of the input that have no answer, in input order. */
  *missingIds(): Generator<string, void> {
    const { rowOfId, ids } = this.contents;
    for (let id = 0; id < rowOfId.length; id++) {
      if (rowOfId[id] === none) {
        yield ids.text(id);
      }
    }
  }

  /** Reads the line of an entry: a line of the request file, or `{"custom_id":...,"line":...,"result":...}`. */
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
   * Returns a preview of each entry on one line: the first words of the answer, or the type and message of the error. For an answer without
   * text, uses the words of its tool calls. Empty if there are no words.
   */
  async previews(entries: readonly ResultEntry[]): Promise<readonly string[]> {
    const file = await open(this.joinedPath, 'r');
    try {
      return await Promise.all(entries.map(entry => this.preview(file, entry)));
    } finally {
      await file.close();
    }
  }

  private async preview(file: FileHandle, entry: ResultEntry): Promise<string> {
    const { offset, length, errorType } = entry;
    const start = this.contents.rows.texts[entry.row] ?? none;
    const bytes = start === none ? undefined : await readSpan(file, offset + start, Math.min(previewBytes, length - start));
    const text = bytes && toPreview(bytes);
    if (bytes !== undefined && text === undefined) {
      throw changedResults(this.joinedPath);
    }
    const preview = [errorType, text].filter(part => part !== undefined).join(': ');
    return preview === '' && this.mayCallTools(entry) ? toFirstWords(wordsOf(await readSpan(file, offset, length))) : preview;
  }

  private mayCallTools({ status, length }: ResultEntry): boolean {
    return this.subject === 'results' && hasAnswer(status) && length <= maxReadBytes;
  }

  private entry(row: number): ResultEntry {
    const { rows, ids, lines } = this.contents;
    return {
      row,
      customId: ids.text(rows.ids[row] as number),
      line: lines[row] as number,
      ...outcomeOf(this.contents, row),
      inputTokens: rows.inputTokens[row] as number,
      outputTokens: rows.outputTokens[row] as number,
      offset: rows.offsets[row] as number,
      length: rows.lengths[row] as number,
    };
  }
}

function wordsOf(line: Buffer): string {
  try {
    return answerText(resultIn(line.toString('utf8')));
  } catch {
    return '';
  }
}

function isResult(text: string, { customId }: ResultEntry): boolean {
  return text.startsWith(`{"custom_id":${JSON.stringify(customId)},`) && text.endsWith('}');
}

async function sample(file: FileHandle, size: number): Promise<string> {
  const blocks: Uint8Array[] = [];
  for (const { offset, length } of sampledBlocks(size)) {
    blocks.push(await readSpan(file, offset, length));
  }
  return sampleOf(size, blocks);
}

/** Reads `length` bytes, or fewer at the end of the file. */
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
