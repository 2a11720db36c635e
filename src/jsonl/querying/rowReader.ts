import { closeSync, openSync, readSync } from 'node:fs';
import { changedResults, type IndexContents } from '../resultsIndexFile';

/** Reading on over what nobody asked for costs less than another call up to about this many bytes. */
const gapBytes = 16 << 10;
const readBytes = 1 << 20;

/** A joined line where it was read to; valid until the next one. There is a LF at `end`. */
export interface LineBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Reads lines of a joined file, many at a time where they stand near each other. Blocks, so it is for threads. */
export class RowReader {
  private readonly file: number;
  private buffer = Buffer.allocUnsafeSlow(readBytes);

  constructor(
    private readonly joinedPath: string,
    private readonly rows: IndexContents['rows'],
  ) {
    this.file = openSync(joinedPath, 'r');
  }

  /** Hands each of `wanted` to `visit`, in that order; what ascends is read in few pieces. `visit` may throw to end it. */
  forEach(wanted: Uint32Array, visit: (row: number, line: LineBytes) => void): void {
    const { offsets, lengths } = this.rows;
    for (let first = 0; first < wanted.length; ) {
      const start = offsets[wanted[first] as number] as number;
      let end = start + (lengths[wanted[first] as number] as number) + 1;
      let next = first + 1;
      for (; next < wanted.length; next++) {
        const offset = offsets[wanted[next] as number] as number;
        const rowEnd = offset + (lengths[wanted[next] as number] as number) + 1;
        if (offset < end || offset - end > gapBytes || rowEnd - start > readBytes) {
          break;
        }
        end = rowEnd;
      }
      this.read(start, end - start);
      for (let index = first; index < next; index++) {
        const row = wanted[index] as number;
        const at = (offsets[row] as number) - start;
        visit(row, { bytes: this.buffer, start: at, end: at + (lengths[row] as number) });
      }
      first = next;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private read(offset: number, length: number): void {
    if (length > this.buffer.length) {
      this.buffer = Buffer.allocUnsafeSlow(length);
    }
    for (let done = 0; done < length; ) {
      const read = readSync(this.file, this.buffer, done, length - done, offset + done);
      if (read === 0) {
        throw changedResults(this.joinedPath);
      }
      done += read;
    }
  }
}
