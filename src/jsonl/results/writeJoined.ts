import type { LineMap } from '../files/lineMap';
import type { WholeFile } from '../files/wholeFile';
import { SpanReader, SpanWindow } from '../scanning/spanReader';
import { JoinedHeads } from './joinedHeads';
import { none, type RawResults, type ResultColumns, type WordColumns, wordColumns } from './resultsFile';
import { type IndexContents, sampleFile } from './resultsIndexFile';

/** Positions of the `params` of each request in a file, by id number. */
export interface RequestPositions {
  readonly path: string;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
}

/** Maximum number of bytes of joined lines assembled in memory at a time. A longer line gets a larger window. */
const windowBytes = 32 << 20;

/** Number of bytes after which written data is flushed to disk. */
const flushBytes = 32 << 20;

const beforeRequest = Buffer.from(',"request":');
const beforeResult = Buffer.from(',"result":');
const afterResult = Buffer.from('}\n');
const fixedBytes = beforeRequest.length + beforeResult.length + afterResult.length;

/**
 * Writes the joined lines to `joined`, those of the input in its order and all others after them. Returns the contents of their index.
 * Lines are assembled window by window; within a window, both sources are read in byte order.
 */
export function writeJoined(
  rawPath: string,
  raw: RawResults,
  map: LineMap | undefined,
  requests: RequestPositions | undefined,
  joined: WholeFile,
  onCopied: (doneBytes: number) => void,
): IndexContents {
  const { rows, ids } = raw;
  const order = joinedOrder(raw);
  const results = new SpanReader(rawPath);
  const params = requests === undefined ? undefined : new SpanReader(requests.path);
  try {
    const writer = new JoinedWriter(raw, order, map, requests);
    let copiedBytes = 0;
    let flushedBytes = 0;
    const afterRead = (bytes: number) => {
      copiedBytes += bytes;
      onCopied(copiedBytes);
    };
    for (let first = 0; first < order.length; ) {
      const next = writer.layOut(first);
      if (requests !== undefined && params !== undefined) {
        const asked = writer.requestsOf(first, next);
        params.copy(asked, requests.offsets, requests.lengths, writer.paramsAt, writer.window, afterRead);
      }
      // Row numbers follow the order of the raw file.
      const answered = order.slice(first, next).sort();
      results.copy(answered, rows.offsets, rows.lengths, writer.resultsAt, writer.window, afterRead);
      joined.append(writer.window.bytes.subarray(0, writer.filled));
      first = next;
      if (joined.byteLength - flushedBytes >= flushBytes && first < order.length) {
        joined.flush();
        flushedBytes = joined.byteLength;
      }
    }
    const rowOfId = new Uint32Array(raw.rowOfId.length).fill(none);
    writer.rows.ids.forEach((id, index) => {
      rowOfId[id] = index;
    });
    return {
      subject: 'results',
      rows: writer.rows,
      lines: writer.lines,
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

/** Returns the row numbers of the raw file in joined order. */
function joinedOrder(raw: RawResults): Uint32Array {
  const order = new Uint32Array(raw.rows.count);
  let count = 0;
  // Ids of the input come first in the table, in input order; others follow in file order.
  for (const row of raw.rowOfId) {
    if (row !== none) {
      order[count++] = row;
    }
  }
  return order;
}

/**
 * Returns the rows in joined order, without offsets. Copies column by column, because a tight loop lets the processor overlap cache misses.
 */
function rowsInOrder(rows: ResultColumns, order: Uint32Array): ResultColumns {
  const words = wordColumns.map(name => [name, gather(rows[name], order, new Uint32Array(order.length))] as const);
  return {
    count: order.length,
    offsets: new Float64Array(order.length),
    statuses: gather(rows.statuses, order, new Uint8Array(order.length)),
    ...(Object.fromEntries(words) as WordColumns),
  };
}

function gather<T extends Uint32Array | Uint8Array>(column: T, order: Uint32Array, into: T): T {
  for (let index = 0; index < order.length; index++) {
    into[index] = column[order[index] as number] as number;
  }
  return into;
}

/** Lays out joined lines in a window: writes everything except the copied parts and records where those go. */
class JoinedWriter {
  window = new SpanWindow(0);
  filled = 0;
  /** Offset in the window for the result of each raw row. */
  readonly resultsAt: Uint32Array;
  /** Offset in the window for the params of each id. */
  readonly paramsAt: Uint32Array;
  /** Rows of the joined file. Offsets and lengths are those of the result until the line is laid out, then those of the line. */
  readonly rows: ResultColumns;
  /** Source line per row, or -1. */
  readonly lines: Int32Array;
  private readonly heads: JoinedHeads;
  private writtenBytes = 0;

  constructor(
    private readonly raw: RawResults,
    private readonly order: Uint32Array,
    private readonly map: LineMap | undefined,
    private readonly requests: RequestPositions | undefined,
  ) {
    const { count } = raw.rows;
    this.heads = new JoinedHeads(raw.ids);
    this.resultsAt = new Uint32Array(count);
    this.paramsAt = new Uint32Array(requests === undefined ? 0 : raw.expectedIds);
    this.rows = rowsInOrder(raw.rows, order);
    this.lines = new Int32Array(count);
  }

  /** Fills the window starting at the joined row `first`. Returns the first row that did not fit. */
  layOut(first: number): number {
    const { rows, order } = this;
    this.filled = 0;
    let index = first;
    for (; index < order.length; index++) {
      const id = rows.ids[index] as number;
      const line = this.lineOf(id);
      const asked = this.isAsked(id);
      const paramsBytes = asked ? (this.requests?.lengths[id] as number) : 0;
      const resultBytes = rows.lengths[index] as number;
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
      this.resultsAt[order[index] as number] = this.filled;
      const text = rows.texts[index] as number;
      rows.texts[index] = text === none ? none : this.filled - start + text;
      this.filled += resultBytes;
      this.put(afterResult);
      rows.offsets[index] = this.writtenBytes + start;
      rows.lengths[index] = this.filled - start - 1;
      this.lines[index] = line;
    }
    this.writtenBytes += this.filled;
    return index;
  }

  /** Returns the ids of the joined rows from `first` to `next` (exclusive) whose requests are copied. */
  requestsOf(first: number, next: number): Uint32Array {
    return this.rows.ids.subarray(first, next).filter(id => this.isAsked(id));
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

  /** Returns an upper bound for the bytes of all lines from `first` on, so that small files get small windows. */
  private estimate(first: number): number {
    const { rows, bytes } = this.raw;
    let total = bytes + (rows.count - first) * (fixedBytes + 64);
    for (let id = 0; this.requests !== undefined && id < this.requests.lengths.length && total < windowBytes; id++) {
      total += this.requests.lengths[id] as number;
    }
    return total;
  }
}
