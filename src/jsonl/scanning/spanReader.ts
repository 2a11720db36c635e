import { closeSync, openSync, readSync } from 'node:fs';

/** Maximum size of one read, in bytes, except for a single longer span. */
const readBytes = 1 << 20;

/** Largest gap between two spans that is read rather than skipped, in bytes. Up to about this size reading costs less than another call. */
const gapBytes = 12 << 10;

/** Memory that spans are copied into. The end has room for read data: copying within one array creates no garbage. */
export class SpanWindow {
  readonly bytes: Buffer;

  constructor(readonly length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length + (length > 0 ? readBytes : 0));
  }
}

/** Copies spans of a file, given in ascending order, with few reads. Blocks, so use it in a worker thread. */
export class SpanReader {
  private readonly file: number;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'r');
  }

  /**
   * Copies the bytes of each row, `lengths[row]` of them from `offsets[row]`, to `targets[row]` in `into`. Calls `afterRead` with the
   * number of bytes copied since its last call. It may throw to stop.
   */
  copy(
    rows: Uint32Array,
    offsets: Float64Array,
    lengths: Uint32Array,
    targets: Uint32Array,
    into: SpanWindow,
    afterRead: (copiedBytes: number) => void,
  ): void {
    const { bytes, length: room } = into;
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
        this.read(bytes, targets[rows[first] as number] as number, end - start, start);
      } else {
        this.read(bytes, room, end - start, start);
        for (let index = first; index < next; index++) {
          const row = rows[index] as number;
          const from = room + (offsets[row] as number) - start;
          bytes.copyWithin(targets[row] as number, from, from + (lengths[row] as number));
        }
      }
      afterRead(copied);
      first = next;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private read(into: Buffer, at: number, length: number, offset: number): void {
    for (let done = 0; done < length; ) {
      const read = readSync(this.file, into, at + done, length - done, offset + done);
      if (read === 0) {
        throw new Error(`${this.path} became shorter while it was read.`);
      }
      done += read;
    }
  }
}
