import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LF } from '../scanning/jsonBytes';
import { byteOrderMarkLength } from '../scanning/lineText';
import type { Arrival } from './arrival';

export interface FileProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** Progress and cancellation of a pass over files. A `JobContext` can be used as one. */
export interface PassContext {
  /** Throws an `AbortError` if the pass was cancelled. Works immediately, also in loops that never await. */
  throwIfAborted(): void;
  /** Reports progress. The host of a job receives the progress at most every 50 ms, and always at the end. */
  progress(progress: FileProgress): void;
  /** Aborted when the pass is cancelled, once the thread processes its messages. */
  readonly signal?: AbortSignal;
}

/** Returns a callback that reports progress over `bytes` bytes. The thread reports 100% when the job has finished. */
export function toOnRead(context: PassContext, bytes: number): (doneBytes: number) => void {
  return doneBytes => {
    context.throwIfAborted();
    context.progress({ doneBytes: Math.min(doneBytes, bytes), totalBytes: bytes + 1 });
  };
}

/** Returns the context for one part of a job over `totalBytes` bytes. `before` is the number of bytes of the previous parts. */
export function partOf(context: PassContext, before: number, totalBytes: number): PassContext {
  const onRead = toOnRead(context, totalBytes);
  return { ...context, progress: ({ doneBytes }) => onRead(before + doneBytes) };
}

/** Returns the context of one of several passes over the same amount of work. `pass` is 0-based. */
export function passOf<T extends PassContext>(context: T, pass: number, passes = 2): T {
  return {
    ...context,
    progress: ({ doneBytes, totalBytes }) =>
      context.progress({ doneBytes: doneBytes + pass * totalBytes, totalBytes: totalBytes * passes }),
  };
}

/** Line in the read buffer. Valid until the visitor returns. */
export interface LineInBuffer {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Position of the LF that ends the line. */
  readonly end: number;
  /** Offset in the file of the byte at `start`. */
  readonly offset: number;
}

/** Visitor that provides the read buffer and finds the end of each line in it. */
export interface LineVisitor {
  /** Returns a buffer of `bytes` bytes for the next lines. The buffer starts with the content of the previous buffer. */
  buffer(bytes: number, before: Buffer | undefined): Buffer;
  /** Called when the buffer holds complete lines up to `end`, which is after a LF. */
  region?(end: number): void;
  /** Visits the line at `start`. Its LF is in the buffer too. Returns the position of the LF, or -1 to pass the line to `reject`. */
  visit(start: number, line: number, offset: number, hasInvalidUtf8: boolean): number;
  /** Called for a line that `visit` did not accept. `found` is `undefined` if the line is too long. `offset` is its start in the file. */
  reject(found: LineInBuffer | undefined, line: number, offset: number): void;
}

const chunkBytes = 1 << 20;

/** Maximum length of a line of results, in bytes. Longer lines are reported as damaged. */
const maxLineBytes = 32 << 20;
/** Maximum length of a line of requests, in bytes. Far more than a message request may have. */
export const maxRequestLineBytes = 64 << 20;

/** Returns a buffer of `bytes` bytes that starts with the content of `before`, as `LineVisitor.buffer` must. */
export function growBuffer(bytes: number, before: Buffer | undefined): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  before?.copy(buffer);
  return buffer;
}

type OnRead = (doneBytes: number, chunk: Uint8Array) => void;

/**
 * Visits the lines of a file, split at LF only. The buffer has 1 MiB and grows for longer lines, by default up to 32 MiB. Skips a byte
 * order mark. The last line may have no LF. Blocks, so use it in a worker thread. Calls `onRead` with each chunk and the number of bytes
 * read so far. `onRead` may throw to stop. Returns the number of bytes read.
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

/** Calls `visit` with the bytes of each line, or with `undefined` if the line is too long. Bytes are valid until it returns. */
export function forEachWholeLine(
  path: string,
  visit: (bytes: Buffer | undefined, line: number) => void,
  onRead: OnRead,
  mostLineBytes = maxLineBytes,
): void {
  const reject: LineVisitor['reject'] = (found, line) =>
    visit(found && Buffer.from(found.bytes.buffer, found.bytes.byteOffset + found.start, found.end - found.start), line);
  forEachLine(path, { buffer: growBuffer, visit: () => -1, reject }, onRead, mostLineBytes);
}

/** Calls `visit` with the text of each line that isn't blank, or with an empty text if the line is too long. */
export function forEachTextLine(path: string, visit: (text: string, line: number) => void, onRead: OnRead): void {
  const visitBytes = (bytes: Buffer | undefined, line: number) => {
    const text = bytes?.toString('utf8');
    if (text?.trim() !== '') {
      visit(text ?? '', line);
    }
  };
  forEachWholeLine(path, visitBytes, onRead);
}

/** Visits the lines of a file while it is written. Throws an `ArrivalError` if the file will never be complete. */
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
          throw new Error(`${path} was truncated while it was read.`);
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
  total = 0;
  private readonly file: number;
  private buffer: Buffer;
  private filled = 0;
  private line = 0;
  private skipping = false;
  /** Offset in the file of the line that is skipped. */
  private skippedAt = 0;

  constructor(
    path: string,
    private readonly visitor: LineVisitor,
    private readonly onRead: OnRead,
    minBytes = 0,
    private readonly mostLineBytes = maxLineBytes,
  ) {
    this.file = openSync(path, 'r');
    try {
      // One byte stays free for the LF that is added to a last line without one.
      this.buffer = visitor.buffer(Math.min(chunkBytes, Math.max(fstatSync(this.file).size, minBytes) + 1) + 1, undefined);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Reads once, at most `most` bytes, and visits the complete lines. Returns false at the end of the file. */
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
      visitor.reject(undefined, this.line, this.skippedAt);
    } else if (ended && this.filled > 0) {
      buffer[this.filled++] = LF;
    }
    const last = this.filled === 0 ? -1 : buffer.lastIndexOf(LF, this.filled - 1);
    if (this.skipping && last >= 0) {
      visitor.reject(undefined, this.line++, this.skippedAt);
      start = buffer.indexOf(LF) + 1;
      this.skipping = false;
    }
    const hasInvalidUtf8 = start <= last && !isUtf8(buffer.subarray(start, last + 1));
    visitor.region?.(last + 1);
    while (start <= last) {
      let end = visitor.visit(start, this.line, base + start, hasInvalidUtf8);
      if (end < 0) {
        end = buffer.indexOf(LF, start);
        visitor.reject({ bytes: buffer, start, end, offset: base + start }, this.line, base + start);
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

  /** Moves the bytes from `start` to the front of the buffer. If these bytes fill the buffer, gets a larger buffer or skips the line. */
  private makeRoom(start: number): void {
    this.buffer.copyWithin(0, start, this.filled);
    this.filled -= start;
    if (this.filled < this.buffer.length - 1) {
      return;
    }
    if (this.filled >= this.mostLineBytes) {
      this.skipping = true;
      this.skippedAt = this.total - this.filled;
      this.filled = 0;
    } else {
      this.buffer = this.visitor.buffer(Math.min(this.filled * 2, this.mostLineBytes) + 1, this.buffer);
    }
  }
}
