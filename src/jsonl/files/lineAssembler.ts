import { BACKSLASH, QUOTE } from '../scanning/jsonBytes';
import type { BlockWriter } from './blockWriter';
import { SpanReader, textOf } from './spanReader';

/** Maximum number of bytes of lines assembled in memory at a time. A longer line gets a larger window. */
const windowBytes = 16 << 20;
/** Maximum size of one read, in bytes, except for a single longer span. */
const readBytes = 1 << 20;
/** Largest gap between two spans that is read rather than skipped, in bytes. Reading a smaller gap costs less than another read call. */
const gapBytes = 12 << 10;

/** Copies rows of a file into assembled lines. Blocks the thread, so only for workers. */
export class SpanSource {
  private readonly reader: SpanReader;
  /** Offset in the window for the bytes of each row. */
  private readonly targets: Uint32Array;
  private wanted: number[] = [];

  /** Creates a source. The offsets must be ascending. `verify` is called with the position of each copied row in `bytes`. */
  constructor(
    path: string,
    private readonly offsets: ArrayLike<number>,
    readonly lengths: ArrayLike<number>,
    private readonly verify?: (bytes: Buffer, start: number, end: number) => void,
  ) {
    this.reader = new SpanReader(path);
    this.targets = new Uint32Array(offsets.length);
  }

  /** Requests a copy of a row at offset `target` of the window. */
  want(row: number, target: number): void {
    this.wanted.push(row);
    this.targets[row] = target;
  }

  /** Copies the requested rows with few reads and no garbage. `room` is the offset in `window` for one read. */
  copyInto(window: Buffer, room: number, afterRead: (bytes: number) => void): void {
    const { offsets, lengths, targets } = this;
    const rows = Uint32Array.from(this.wanted).sort();
    this.wanted = [];
    for (let first = 0; first < rows.length; ) {
      const start = offsets[rows[first] as number] as number;
      let end = start + (lengths[rows[first] as number] as number);
      let copied = end - start;
      let next = first + 1;
      for (; next < rows.length; next++) {
        const offset = offsets[rows[next] as number] as number;
        const length = lengths[rows[next] as number] as number;
        if (offset - end > gapBytes || offset + length - start > readBytes) {
          break;
        }
        end = offset + length;
        copied += length;
      }
      if (next === first + 1) {
        this.reader.readInto(window, targets[rows[first] as number] as number, end - start, start);
      } else {
        this.reader.readInto(window, room, end - start, start);
        for (let index = first; index < next; index++) {
          const row = rows[index] as number;
          const from = room + (offsets[row] as number) - start;
          window.copyWithin(targets[row] as number, from, from + (lengths[row] as number));
        }
      }
      afterRead(copied);
      first = next;
    }
    for (const row of this.verify === undefined ? [] : rows) {
      const start = targets[row] as number;
      this.verify?.(window, start, start + (lengths[row] as number));
    }
  }

  close(): void {
    this.reader.close();
  }
}

/** Writes lines that consist of texts and of rows of files. Within a window of lines, the rows of each file are read in file order. */
export class LineAssembler {
  private window: Buffer = Buffer.alloc(0);
  /** Length of the window without the room for reads at its end. */
  private length = 0;
  private filled = 0;
  private writtenBytes = 0;
  private copiedBytes = 0;

  /** `maxBytes` bounds the bytes to write. `onCopied` gets the number of bytes copied so far and may throw to stop. */
  constructor(
    private readonly out: BlockWriter,
    private readonly sources: readonly SpanSource[],
    private readonly maxBytes: number,
    private readonly onCopied: (doneBytes: number) => void,
  ) {}

  /** Number of bytes added so far, including buffered ones. */
  get position(): number {
    return this.writtenBytes + this.filled;
  }

  /** Makes room for a line of at most `bytes` bytes. Must be called before each line. */
  reserve(bytes: number): void {
    if (this.filled + bytes <= this.length) {
      return;
    }
    this.flush();
    if (bytes > this.length) {
      this.length = Math.max(bytes, Math.min(windowBytes, this.maxBytes));
      this.window = Buffer.allocUnsafeSlow(this.length + readBytes);
    }
  }

  put(text: string): void {
    const { window, filled } = this;
    // These texts are short. A loop takes half the time of `Buffer.write` for them.
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        this.filled += window.write(text, filled);
        return;
      }
      window[filled + index] = code;
    }
    this.filled += text.length;
  }

  /** Adds a string, given as UTF-8 in [start, end) of `bytes`, as JSON. */
  putString(bytes: Uint8Array, start: number, end: number): void {
    const { window } = this;
    let to = this.filled;
    window[to++] = QUOTE;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) {
        this.put(JSON.stringify(textOf({ bytes, start, end })));
        return;
      }
      window[to++] = byte;
    }
    window[to++] = QUOTE;
    this.filled = to;
  }

  putRow(source: SpanSource, row: number): void {
    source.want(row, this.filled);
    this.filled += source.lengths[row] as number;
  }

  flush(): void {
    for (const source of this.sources) {
      source.copyInto(this.window, this.length, bytes => {
        this.copiedBytes += bytes;
        this.onCopied(this.copiedBytes);
      });
    }
    this.out.add(this.window, 0, this.filled);
    this.writtenBytes += this.filled;
    this.filled = 0;
  }
}
