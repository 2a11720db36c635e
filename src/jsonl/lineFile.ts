import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileProgress } from './batchFileReport';
import { LF } from './jsonBytes';
import { byteOrderMarkLength } from './lineScanner';

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

/**
 * Goes over the lines of a file, split at LF only, with one buffer of 1 MiB that grows for longer lines up to 32 MiB. A byte
 * order mark is left out; the last line may lack its LF. Blocks, so it is for threads; `onRead` is called with each chunk and
 * the bytes read so far, and may throw to end it. Returns the number of bytes read.
 */
export function forEachLine(path: string, visitor: LineVisitor, onRead: (doneBytes: number, chunk: Uint8Array) => void): number {
  const file = openSync(path, 'r');
  try {
    // One byte stays free for the LF behind a last line that has none.
    let buffer = visitor.buffer(Math.min(chunkBytes, fstatSync(file).size + 1) + 1, undefined);
    let total = 0;
    let filled = 0;
    let line = 0;
    let skipping = false;
    for (;;) {
      const read = readSync(file, buffer, filled, buffer.length - 1 - filled, null);
      let start = total === 0 ? byteOrderMarkLength(buffer.subarray(0, read)) : 0;
      total += read;
      onRead(total, buffer.subarray(filled, filled + read));
      filled += read;
      // Offset in the file of the first byte in the buffer.
      const base = total - filled;
      const ended = read === 0;
      if (ended && skipping) {
        visitor.reject(undefined, line);
      } else if (ended && filled > 0) {
        buffer[filled++] = LF;
      }
      const last = filled === 0 ? -1 : buffer.lastIndexOf(LF, filled - 1);
      if (skipping && last >= 0) {
        visitor.reject(undefined, line++);
        start = buffer.indexOf(LF) + 1;
        skipping = false;
      }
      const hasInvalidUtf8 = start <= last && !isUtf8(buffer.subarray(start, last + 1));
      visitor.region?.(last + 1);
      while (start <= last) {
        let end = visitor.visit(start, line, base + start, hasInvalidUtf8);
        if (end < 0) {
          end = buffer.indexOf(LF, start);
          visitor.reject({ bytes: buffer, start, end, offset: base + start }, line);
        }
        line++;
        start = end + 1;
      }
      if (ended) {
        return total;
      }
      if (skipping) {
        start = filled;
      }
      buffer.copyWithin(0, start, filled);
      filled -= start;
      if (filled === buffer.length - 1) {
        if (filled >= maxLineBytes) {
          skipping = true;
          filled = 0;
        } else {
          buffer = visitor.buffer(Math.min(filled * 2, maxLineBytes) + 1, buffer);
        }
      }
    }
  } finally {
    closeSync(file);
  }
}
