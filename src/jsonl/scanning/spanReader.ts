import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that one read fetches at most beside a longer piece that is wanted whole. */
const readBytes = 1 << 20;

/** Reading on over what nobody asked for costs less than another call up to about this many bytes. */
const gapBytes = 12 << 10;

/** Memory that pieces are copied into, with room at its end for what is read: copying within one array makes no garbage. */
export class SpanWindow {
  readonly bytes: Buffer;

  constructor(readonly length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length + (length > 0 ? readBytes : 0));
  }
}

/** Copies pieces of a file, given in ascending order, with as few reads as pay. Blocks, so it is for threads. */
export class SpanReader {
  private readonly file: number;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'r');
  }

  /**
   * Copies for each row of `rows` the bytes at `offsets[row]`, `lengths[row]` of them, to `targets[row]` in `into`. `afterRead` is
   * told how many bytes were copied since it was told last, and may throw to end it.
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
