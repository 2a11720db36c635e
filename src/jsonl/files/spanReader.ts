import { closeSync, openSync, readSync } from 'node:fs';

const aheadBytes = 1 << 20;
/** Maximum gap between two spans for which the second span is read with read-ahead, in bytes. */
const gapBytes = 64 << 10;

/** Bytes within a buffer. Valid until the next read. */
export interface BytesPiece {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

export function textOf({ bytes, start, end }: Omit<BytesPiece, 'bytes'> & { readonly bytes: Uint8Array }): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** Reads spans of a file, with read-ahead while the offsets ascend. Blocks the thread, so only for workers. */
export class SpanReader {
  private readonly file: number;
  private buffer: Buffer = Buffer.alloc(0);
  private from = 0;
  private filled = 0;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'r');
  }

  /** Reads `length` bytes at `offset`. The buffer also has the next byte, unless the file ends there. */
  read(offset: number, length: number): BytesPiece {
    const bufferEnd = this.from + this.filled;
    if (offset < this.from || offset + length + 1 > bufferEnd) {
      const isNearby = offset >= this.from && offset <= bufferEnd + gapBytes;
      this.fill(offset, length, isNearby ? Math.max(length + 1, aheadBytes) : length + 1);
    }
    const start = offset - this.from;
    return { bytes: this.buffer, start, end: start + length };
  }

  close(): void {
    closeSync(this.file);
  }

  private fill(offset: number, length: number, wanted: number): void {
    if (this.buffer.length < wanted) {
      this.buffer = Buffer.allocUnsafeSlow(wanted);
    }
    this.from = offset;
    // If the read fails, the buffer has bytes of neither position.
    this.filled = 0;
    this.filled = this.readInto(this.buffer, 0, wanted, offset, length);
  }

  /** Reads `length` bytes at `offset`, or at least `least` at the end of the file. Returns the number of bytes. */
  readInto(into: Buffer, at: number, length: number, offset: number, least = length): number {
    let done = 0;
    for (let read = -1; read !== 0 && done < length; done += read) {
      read = readSync(this.file, into, at + done, length - done, offset + done);
    }
    if (done < least) {
      throw new Error(`${this.path} was truncated while it was read.`);
    }
    return done;
  }
}
