import { JoinedHeads } from './joinedHeads';
import type { LineMap } from './lineMap';
import { none, type RawResults } from './resultsFile';
import { type IndexContents, sampleFile } from './resultsIndexFile';
import { SpanReader, SpanWindow } from './spanReader';
import type { WholeFile } from './wholeFile';

/** Where the `params` of each request stand in a file, by the number of its id. */
export interface RequestPlaces {
  readonly path: string;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
}

/** Bytes of joined lines that are put together in memory at a time; a longer line has a window of its own. */
const windowBytes = 16 << 20;

/** Bytes after which the disk begins to work on what was written. */
const flushBytes = 32 << 20;

const beforeRequest = Buffer.from(',"request":');
const beforeResult = Buffer.from(',"result":');
const afterResult = Buffer.from('}\n');
const fixedBytes = beforeRequest.length + beforeResult.length + afterResult.length;

/**
 * Writes the joined lines to `joined`, those of the input in its order and the others behind them, and returns what their index
 * holds. Lines are put together window by window; within one, both sources are read in the order of their bytes.
 */
export function writeJoined(
  rawPath: string,
  raw: RawResults,
  map: LineMap | undefined,
  requests: RequestPlaces | undefined,
  joined: WholeFile,
  onCopied: (doneBytes: number) => void,
): IndexContents {
  const { rows, ids } = raw;
  const order = joinedOrder(raw);
  const results = new SpanReader(rawPath);
  const params = requests === undefined ? undefined : new SpanReader(requests.path);
  try {
    const writer = new JoinedWriter(raw, map, requests);
    let copiedBytes = 0;
    let flushedBytes = 0;
    const afterRead = (bytes: number) => {
      copiedBytes += bytes;
      onCopied(copiedBytes);
    };
    for (let first = 0; first < order.length; ) {
      const next = writer.layOut(order, first);
      if (requests !== undefined && params !== undefined) {
        const asked = writer.requestsOf(order, first, next);
        params.copy(asked, requests.offsets, requests.lengths, writer.paramsAt, writer.window, afterRead);
      }
      // Rows are numbered in the order of the raw file.
      const answered = order.slice(first, next).sort();
      results.copy(answered, rows.offsets, rows.lengths, writer.resultsAt, writer.window, afterRead);
      joined.append(writer.window.bytes.subarray(0, writer.filled));
      first = next;
      if (joined.byteLength - flushedBytes >= flushBytes && first < order.length) {
        joined.flush();
        flushedBytes = joined.byteLength;
      }
    }
    const { lines, offsets, lengths, texts } = writer;
    const rowOfId = new Uint32Array(raw.rowOfId.length).fill(none);
    order.forEach((row, index) => {
      rowOfId[rows.ids[row] as number] = index;
    });
    const reordered = <T extends Uint32Array | Uint8Array>(column: T, into: T): T => {
      for (let index = 0; index < order.length; index++) {
        into[index] = column[order[index] as number] as number;
      }
      return into;
    };
    const words = (column: Uint32Array) => reordered(column, new Uint32Array(order.length));
    return {
      rows: {
        count: order.length,
        offsets,
        lengths,
        texts,
        ids: words(rows.ids),
        states: reordered(rows.states, new Uint8Array(order.length)),
        stopReasons: words(rows.stopReasons),
        errorTypes: words(rows.errorTypes),
        inputTokens: words(rows.inputTokens),
        outputTokens: words(rows.outputTokens),
      },
      lines,
      ids,
      rowOfId,
      reasons: Array.from({ length: raw.reasons.size }, (_, reason) => raw.reasons.text(reason)),
      joinedBytes: joined.byteLength,
      sample: sampleFile(joined.partPath, joined.byteLength),
    };
  } finally {
    results.close();
    params?.close();
  }
}

/** Row numbers of the raw file in joined order. */
function joinedOrder(raw: RawResults): Uint32Array {
  const order = new Uint32Array(raw.rows.count);
  let count = 0;
  // Ids of the input come first in the table, in its order; others follow as they came.
  for (const row of raw.rowOfId) {
    if (row !== none) {
      order[count++] = row;
    }
  }
  return order;
}

/** Lays joined lines out in a window: writes all but the copied parts and remembers where those go. */
class JoinedWriter {
  window = new SpanWindow(0);
  filled = 0;
  /** Where in the window each raw row's result goes. */
  readonly resultsAt: Uint32Array;
  /** Where in the window the params of each id go. */
  readonly paramsAt: Uint32Array;
  /** Per joined row: offset and length of its line in the file, source line, and where its text stands in it. */
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
  readonly lines: Int32Array;
  readonly texts: Uint32Array;
  private readonly heads: JoinedHeads;
  private writtenBytes = 0;

  constructor(
    private readonly raw: RawResults,
    private readonly map: LineMap | undefined,
    private readonly requests: RequestPlaces | undefined,
  ) {
    const { count } = raw.rows;
    this.heads = new JoinedHeads(raw.ids);
    this.resultsAt = new Uint32Array(count);
    this.paramsAt = new Uint32Array(requests === undefined ? 0 : raw.expectedIds);
    this.offsets = new Float64Array(count);
    this.lengths = new Uint32Array(count);
    this.lines = new Int32Array(count);
    this.texts = new Uint32Array(count);
  }

  /** Fills the window from the joined row `first` on; returns the first row that did not fit. */
  layOut(order: Uint32Array, first: number): number {
    const { rows } = this.raw;
    this.filled = 0;
    let index = first;
    for (; index < order.length; index++) {
      const row = order[index] as number;
      const id = rows.ids[row] as number;
      const line = this.lineOf(id);
      const asked = this.isAsked(id);
      const paramsBytes = asked ? (this.requests?.lengths[id] as number) : 0;
      const resultBytes = rows.lengths[row] as number;
      const most = this.heads.mostBytes(id) + fixedBytes + paramsBytes + resultBytes;
      if (this.filled + most > this.window.length) {
        if (index > first) {
          break;
        }
        this.window = new SpanWindow(Math.max(most, Math.min(windowBytes, this.estimate(first))));
      }
      const start = this.filled;
      this.filled = this.heads.put(this.window.bytes, start, id, line);
      if (asked) {
        this.put(beforeRequest);
        this.paramsAt[id] = this.filled;
        this.filled += paramsBytes;
      }
      this.put(beforeResult);
      this.resultsAt[row] = this.filled;
      const text = rows.texts[row] as number;
      this.texts[index] = text === none ? none : this.filled - start + text;
      this.filled += resultBytes;
      this.put(afterResult);
      this.offsets[index] = this.writtenBytes + start;
      this.lengths[index] = this.filled - start - 1;
      this.lines[index] = line;
    }
    this.writtenBytes += this.filled;
    return index;
  }

  /** Ids of the joined rows from `first` to `next` whose requests are copied; ascending. */
  requestsOf(order: Uint32Array, first: number, next: number): Uint32Array {
    return order
      .slice(first, next)
      .map(row => this.raw.rows.ids[row] as number)
      .filter(id => this.isAsked(id));
  }

  private isAsked(id: number): boolean {
    return this.requests !== undefined && id < this.raw.expectedIds;
  }

  private lineOf(id: number): number {
    return this.map !== undefined && id < this.raw.expectedIds ? (this.map.lines[id] as number) : -1;
  }

  private put(bytes: Uint8Array): void {
    const window = this.window.bytes;
    for (let index = 0; index < bytes.length; index++) {
      window[this.filled++] = bytes[index] as number;
    }
  }

  /** Bytes that all lines from `first` on can take at most, so that small files get small windows. */
  private estimate(first: number): number {
    const { rows, bytes } = this.raw;
    let total = bytes + (rows.count - first) * (fixedBytes + 64);
    for (let id = 0; this.requests !== undefined && id < this.requests.lengths.length && total < windowBytes; id++) {
      total += this.requests.lengths[id] as number;
    }
    return total;
  }
}
