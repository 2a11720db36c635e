import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LF } from '../scanning/jsonBytes';
import { byteOrderMarkLength } from '../scanning/lineScanner';
import type { Arrival } from './arrival';

/** Progress of work on a file: bytes read of bytes there are. */
export interface FileProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** How a pass over files tells where it is and learns that it is no longer wanted; a job's context is one. */
export interface PassContext {
  /** Throws when the pass is cancelled. */
  throwIfAborted(): void;
  progress(progress: FileProgress): void;
  /** Aborted with the pass; what awaits the system ends on it. */
  readonly signal?: AbortSignal;
}

/** One line in the buffer it was read into; valid until the visitor returns. There is a LF at `end` or behind it. */
export interface LineInBuffer {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Position of the LF that ends it. */
  readonly end: number;
  /** Offset in the file of the byte at `start`. */
  readonly offset: number;
}

/** Reads lines where they lie: gives a buffer for them, then is asked for each line's end. */
export interface LineVisitor {
  /** A buffer of `bytes` for the lines that follow. It begins with what is in the one before, if any. */
  buffer(bytes: number, before: Buffer | undefined): Buffer;
  /** The buffer holds whole lines up to `end`, which is behind a LF. */
  region?(end: number): void;
  /**
   * Looks at the line at `start`, whose bytes are in the buffer up to and with their LF. Returns the position of that LF when it
   * knows, or -1; then the line is looked for and handed to `reject`.
   */
  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number;
  /** A line that `visit` did not take; `undefined` when it was longer than lines may be. */
  reject(found: LineInBuffer | undefined, line: number): void;
}

const chunkBytes = 1 << 20;

/** A longer line is told as damaged. */
export const maxLineBytes = 32 << 20;

/** A plain `LineVisitor.buffer`. */
export function growBuffer(bytes: number, before: Buffer | undefined): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  before?.copy(buffer);
  return buffer;
}

type OnRead = (doneBytes: number, chunk: Uint8Array) => void;

/**
 * Goes over the lines of a file, split at LF only, with one buffer of 1 MiB that grows for longer lines, by itself up to 32 MiB. A byte
 * order mark is left out; the last line may lack its LF. Blocks, so it is for threads; `onRead` is called with each chunk and
 * the bytes read so far, and may throw to end it. Returns the number of bytes read.
 */
export function forEachLine(path: string, visitor: LineVisitor, onRead: OnRead, mostLineBytes = maxLineBytes): number {
  const pass = new LinePass(path, visitor, onRead, 0, mostLineBytes);
  try {
    while (pass.step()) {}
    return pass.total;
  } finally {
    pass.close();
  }
}

/** Does the same with a file that is still being written, as its bytes arrive. Throws `ArrivalError` when it does not come whole. */
export async function forEachArrivingLine(
  path: string,
  arrival: Arrival,
  visitor: LineVisitor,
  onRead: OnRead,
  throwIfAborted: () => void,
): Promise<number> {
  const pass = new LinePass(path, visitor, onRead, chunkBytes);
  try {
    for (;;) {
      const { bytes, whole } = await arrival.beyond(pass.total, throwIfAborted);
      while (pass.total < bytes) {
        if (!pass.step(bytes - pass.total)) {
          throw new Error(`${path} became shorter while it was read.`);
        }
      }
      if (whole) {
        while (pass.step()) {}
        return pass.total;
      }
    }
  } finally {
    pass.close();
  }
}

class LinePass {
  /** Bytes read so far. */
  total = 0;
  private readonly file: number;
  private buffer: Buffer;
  private filled = 0;
  private line = 0;
  private skipping = false;

  constructor(
    path: string,
    private readonly visitor: LineVisitor,
    private readonly onRead: OnRead,
    leastBytes = 0,
    private readonly mostLineBytes = maxLineBytes,
  ) {
    this.file = openSync(path, 'r');
    try {
      // One byte stays free for the LF behind a last line that has none.
      this.buffer = visitor.buffer(Math.min(chunkBytes, Math.max(fstatSync(this.file).size, leastBytes) + 1) + 1, undefined);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Reads once, `most` bytes at most, and hands on the lines that are whole. Returns false at the end of the file. */
  step(most = Number.POSITIVE_INFINITY): boolean {
    const { visitor, buffer } = this;
    const read = readSync(this.file, buffer, this.filled, Math.min(most, buffer.length - 1 - this.filled), null);
    this.total += read;
    this.onRead(this.total, buffer.subarray(this.filled, this.filled + read));
    this.filled += read;
    // Offset in the file of the first byte in the buffer.
    const base = this.total - this.filled;
    let start = base === 0 ? byteOrderMarkLength(buffer.subarray(0, this.filled)) : 0;
    const ended = read === 0;
    if (ended && this.skipping) {
      visitor.reject(undefined, this.line);
    } else if (ended && this.filled > 0) {
      buffer[this.filled++] = LF;
    }
    const last = this.filled === 0 ? -1 : buffer.lastIndexOf(LF, this.filled - 1);
    if (this.skipping && last >= 0) {
      visitor.reject(undefined, this.line++);
      start = buffer.indexOf(LF) + 1;
      this.skipping = false;
    }
    const hasInvalidUtf8 = start <= last && !isUtf8(buffer.subarray(start, last + 1));
    visitor.region?.(last + 1);
    while (start <= last) {
      let end = visitor.visit(start, this.line, base + start, hasInvalidUtf8);
      if (end < 0) {
        end = buffer.indexOf(LF, start);
        visitor.reject({ bytes: buffer, start, end, offset: base + start }, this.line);
      }
      this.line++;
      start = end + 1;
    }
    if (!ended) {
      this.makeRoom(this.skipping ? this.filled : start);
    }
    return !ended;
  }

  close(): void {
    closeSync(this.file);
  }

  /** Keeps what stands behind `start`, in a larger buffer when that fills this one. */
  private makeRoom(start: number): void {
    this.buffer.copyWithin(0, start, this.filled);
    this.filled -= start;
    if (this.filled < this.buffer.length - 1) {
      return;
    }
    if (this.filled >= this.mostLineBytes) {
      this.skipping = true;
      this.filled = 0;
    } else {
      this.buffer = this.visitor.buffer(Math.min(this.filled * 2, this.mostLineBytes) + 1, this.buffer);
    }
  }
}
