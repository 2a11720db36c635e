import { isUtf8 } from 'node:buffer';

/** One line of a file. `bytes` may be a view of the chunk it came in: copy it to retain it. */
export interface ScannedLine {
  /** 0-based line number. */
  readonly line: number;
  /** Offset in the file of the first of `bytes`. On the first line it is after the byte order mark. */
  readonly offset: number;
  /** Bytes of the line without its LF and without one CR before that. */
  readonly bytes: Uint8Array;
  /** False for a last line without LF. */
  readonly terminated: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;
export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Returns the length of the byte order mark at the start of `bytes`: 3 or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
}

/**
 * Splits bytes into lines at LF only, whatever the chunk boundaries. Skips a byte order mark and sets `hasByteOrderMark`. `end` yields a
 * last line without LF. There is no line after a final LF.
 */
export class LineScanner {
  private line = 0;
  /** Offset in the file of the first byte that was not returned yet. */
  private offset = 0;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isStarted = false;
  hasByteOrderMark = false;

  /** Yields the lines that end in `chunk`. */
  *push(chunk: Uint8Array): Generator<ScannedLine, void> {
    let rest = chunk;
    if (!this.isStarted) {
      rest = this.join(rest);
      if (rest.length < byteOrderMark.length && !rest.includes(lineFeed)) {
        this.keep(rest);
        return;
      }
      rest = this.skipByteOrderMark(rest);
    }
    let end = rest.indexOf(lineFeed);
    let start = 0;
    while (end !== -1) {
      yield this.take(this.join(rest.subarray(start, end)), true);
      start = end + 1;
      end = rest.indexOf(lineFeed, start);
    }
    if (start < rest.length) {
      this.keep(rest.subarray(start));
    }
  }

  /** Yields the last line if it has no LF. */
  *end(): Generator<ScannedLine, void> {
    let last = this.join(new Uint8Array(0));
    if (!this.isStarted) {
      last = this.skipByteOrderMark(last);
    }
    if (last.length > 0) {
      yield this.take(last, false);
    }
  }

  private take(content: Uint8Array, terminated: boolean): ScannedLine {
    const bytes = content.at(-1) === carriageReturn ? content.subarray(0, -1) : content;
    const line = { line: this.line, offset: this.offset, bytes, terminated };
    this.line++;
    this.offset += content.length + 1;
    return line;
  }

  /** Stores a copy, because the owner of a chunk may overwrite it. */
  private keep(part: Uint8Array): void {
    this.pending.push(new Uint8Array(part));
    this.pendingBytes += part.length;
  }

  private join(tail: Uint8Array): Uint8Array {
    if (this.pending.length === 0) {
      return tail;
    }
    const whole = new Uint8Array(this.pendingBytes + tail.length);
    let at = 0;
    for (const part of this.pending) {
      whole.set(part, at);
      at += part.length;
    }
    whole.set(tail, at);
    this.pending = [];
    this.pendingBytes = 0;
    return whole;
  }

  private skipByteOrderMark(bytes: Uint8Array): Uint8Array {
    this.isStarted = true;
    const skipped = byteOrderMarkLength(bytes);
    this.hasByteOrderMark = skipped > 0;
    this.offset = skipped;
    return bytes.subarray(skipped);
  }
}

/** Text of a line. `invalidAt` is the UTF-16 column of the first invalid UTF-8 byte, or `undefined` if there is none. */
export interface DecodedLine {
  readonly text: string;
  readonly invalidAt: number | undefined;
}

/** Decodes UTF-8. Invalid bytes become U+FFFD in `text`, and `invalidAt` is the column of the first one. */
export function decodeLine(bytes: Uint8Array): DecodedLine {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, invalidAt: isUtf8(bytes) ? undefined : columnOfInvalidUtf8(bytes) };
}

/** Finds the column by binary search: a streaming decoder fails as soon as its input can't be the start of valid UTF-8. */
function columnOfInvalidUtf8(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (decodeStart(bytes, middle) !== undefined) {
      good = middle;
    } else {
      bad = middle;
    }
  }
  return decodeStart(bytes, good)?.length ?? 0;
}

/** Returns the complete characters of the first `length` bytes, or `undefined` if they can't be the start of valid UTF-8. */
function decodeStart(bytes: Uint8Array, length: number): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}
