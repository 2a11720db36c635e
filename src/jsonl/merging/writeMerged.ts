import type { WholeFile } from '../files/wholeFile';
import { JoinedHeads } from '../results/joinedHeads';
import { createRows, none, type ResultColumns, wordColumns } from '../results/resultsFile';
import { changedResults, type IndexContents } from '../results/resultsIndexFile';
import { CLOSE_BRACE, COMMA, LF } from '../scanning/jsonBytes';
import { SpanReader, SpanWindow } from '../scanning/spanReader';
import type { Generation, Merged } from './mergedAnswers';

/** Size of the window in which lines are assembled, in bytes. A longer line has a window of its own. */
const windowBytes = 8 << 20;

const flushBytes = 32 << 20;

const reasonColumns = ['stopReasons', 'errorTypes', 'models'] as const;
/** Columns whose values are copied unchanged. */
const countColumns = wordColumns.filter(name => !['lengths', 'ids', 'texts', ...reasonColumns].includes(name));

/** Writes the lines that count to `joined` and returns the content of their index, except for the facts about the file. */
export function writeMerged(
  merged: Merged,
  joined: WholeFile,
  onCopied: (doneBytes: number) => void,
): Omit<IndexContents, 'joinedBytes' | 'sample'> {
  const { ids, order, generations, reasons } = merged;
  const sources = generations.map((generation, at) => new Source(generation, merged, at));
  const writer = new MergedWriter(merged, sources);
  try {
    let copiedBytes = 0;
    let flushedBytes = 0;
    for (let first = 0; first < order.length; ) {
      const next = writer.layOut(first);
      for (const source of sources) {
        source.copyInto(writer.window, bytes => {
          copiedBytes += bytes;
          onCopied(copiedBytes);
        });
      }
      writer.verify(first, next);
      joined.append(writer.window.bytes.subarray(0, writer.filled));
      first = next;
      if (joined.byteLength - flushedBytes >= flushBytes && first < order.length) {
        joined.flush();
        flushedBytes = joined.byteLength;
      }
    }
  } finally {
    for (const source of sources) {
      source.close();
    }
  }
  const rowOfId = new Uint32Array(ids.size).fill(none);
  for (const [row, id] of order.entries()) {
    rowOfId[id] = row;
  }
  return {
    subject: 'results',
    rows: writer.rows,
    lines: Int32Array.from(order, id => merged.lines[id] as number),
    ids,
    rowOfId,
    reasons: Array.from({ length: reasons.size }, (_, reason) => reasons.text(reason)),
  };
}

/** The lines of one generation, without their heads. */
class Source {
  readonly rows: ResultColumns;
  /** By row: the offset in the window for the rest of its line. */
  private readonly targets: Uint32Array;
  private readonly restOffsets: Float64Array;
  private readonly restLengths: Uint32Array;
  private readonly reasonNumbers: readonly number[];
  private readonly heads: JoinedHeads;
  private readonly reader: SpanReader;
  private wanted: number[] = [];

  constructor(
    private readonly generation: Generation,
    { reasons }: Merged,
    at: number,
  ) {
    const { rows, ids, reasons: names } = generation.contents;
    this.rows = rows;
    this.targets = new Uint32Array(rows.count);
    this.restOffsets = new Float64Array(rows.count);
    this.restLengths = new Uint32Array(rows.count);
    this.reasonNumbers = names.map(name => reasons.find(Buffer.from(name), 0, Buffer.byteLength(name)) + 1);
    this.heads = new JoinedHeads(ids);
    try {
      this.reader = new SpanReader(generation.joinedPath);
    } catch (error) {
      throw new Error(`The results of generation ${at + 1} cannot be read.`, { cause: error });
    }
  }

  /** Returns the length of a line up to the end of its line number, in bytes. */
  headBytes(row: number): number {
    const { lines } = this.generation.contents;
    return this.heads.lengthOf(this.rows.ids[row] as number, lines[row] as number);
  }

  /** Requests the rest of a row's line at `target` of the next window. */
  want(row: number, headBytes: number, target: number): void {
    this.wanted.push(row);
    this.targets[row] = target;
    this.restOffsets[row] = (this.rows.offsets[row] as number) + headBytes;
    this.restLengths[row] = (this.rows.lengths[row] as number) - headBytes;
  }

  copyInto(window: SpanWindow, afterRead: (bytes: number) => void): void {
    if (this.wanted.length > 0) {
      const rows = Uint32Array.from(this.wanted).sort();
      this.wanted = [];
      this.reader.copy(rows, this.restOffsets, this.restLengths, this.targets, window, afterRead);
    }
  }

  reason(number: number): number {
    return number === 0 ? 0 : (this.reasonNumbers[number - 1] as number);
  }

  changed(): Error {
    return changedResults(this.generation.joinedPath);
  }

  close(): void {
    this.reader.close();
  }
}

/** Lays lines out in a window and creates the rows of their index. */
class MergedWriter {
  window = new SpanWindow(0);
  filled = 0;
  readonly rows;
  private readonly heads: JoinedHeads;
  private readonly restAt: Uint32Array;
  private writtenBytes = 0;

  constructor(
    private readonly merged: Merged,
    private readonly sources: readonly Source[],
  ) {
    const count = merged.order.length;
    this.heads = new JoinedHeads(merged.ids);
    this.restAt = new Uint32Array(count);
    this.rows = { ...createRows(count), count, ids: merged.order };
  }

  /** Fills the window from index `first` of the order. Returns the index of the first line that did not fit. */
  layOut(first: number): number {
    const { order, lines, generationOf, rowOf } = this.merged;
    this.filled = 0;
    let place = first;
    for (; place < order.length; place++) {
      const id = order[place] as number;
      const source = this.sources[generationOf[id] as number] as Source;
      const row = rowOf[id] as number;
      const line = lines[id] as number;
      const headBefore = source.headBytes(row);
      const restBytes = (source.rows.lengths[row] as number) - headBefore;
      const head = this.heads.lengthOf(id, line);
      const bytes = head + restBytes + 1;
      if (this.filled + bytes > this.window.length) {
        if (place > first) {
          break;
        }
        this.window = new SpanWindow(Math.max(bytes, Math.min(windowBytes, this.merged.bytes + (order.length - first) * 16)));
      }
      const start = this.filled;
      const rest = this.heads.put(this.window.bytes, start, id, line);
      source.want(row, headBefore, rest);
      this.restAt[place] = rest;
      this.filled = rest + restBytes;
      this.window.bytes[this.filled++] = LF;
      this.addRow(place, source, row, start, head - headBefore);
    }
    this.writtenBytes += this.filled;
    return place;
  }

  /** Checks that each copied part follows the head of a joined line. */
  verify(first: number, next: number): void {
    const { bytes } = this.window;
    for (let place = first; place < next; place++) {
      const end = place + 1 < next ? (this.rows.offsets[place + 1] as number) - (this.rows.offsets[first] as number) : this.filled;
      if (bytes[this.restAt[place] as number] !== COMMA || bytes[end - 2] !== CLOSE_BRACE) {
        throw this.sources[this.merged.generationOf[this.merged.order[place] as number] as number]?.changed();
      }
    }
  }

  private addRow(place: number, source: Source, row: number, start: number, headGrowth: number): void {
    const from = source.rows;
    const { rows } = this;
    const text = from.texts[row] as number;
    rows.offsets[place] = this.writtenBytes + start;
    rows.lengths[place] = this.filled - start - 1;
    rows.statuses[place] = from.statuses[row] as number;
    for (const column of reasonColumns) {
      rows[column][place] = source.reason(from[column][row] as number);
    }
    for (const column of countColumns) {
      rows[column][place] = from[column][row] as number;
    }
    rows.texts[place] = text === none ? none : text + headGrowth;
  }
}
