import { isUtf8 } from 'node:buffer';

/** One line of a file: where it stands and its bytes. `bytes` may be a view of the chunk it came in: copy it to keep it. */
export interface ScannedLine {
  /** Counts from 0, as the editor does. */
  readonly line: number;
  /** Offset in the file of the first of `bytes`; behind the byte order mark on the first line. */
  readonly offset: number;
  /** Without the LF and without one CR before it. */
  readonly bytes: Uint8Array;
  /** False for a last line that the file ends without LF. */
  readonly terminated: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;
export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Bytes of the byte order mark that `bytes` begins with: 3 or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
}

/**
 * Splits bytes into lines at LF and nowhere else, however they are cut into chunks. A byte order mark is left out and told
 * by `hasByteOrderMark`; a last line without LF is handed out by `end`; after a last LF there is no further line.
 */
export class LineScanner {
  private line = 0;
  /** Offset in the file of the first byte that is not handed out yet. */
  private offset = 0;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private startSeen = false;
  hasByteOrderMark = false;

  /** Lines that `chunk` completes. */
  *push(chunk: Uint8Array): Generator<ScannedLine, void> {
    let rest = chunk;
    if (!this.startSeen) {
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

  /** The last line, when the bytes do not end with LF. */
  *end(): Generator<ScannedLine, void> {
    let last = this.join(new Uint8Array(0));
    if (!this.startSeen) {
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

  /** Copied, because the owner of a chunk may write over it. */
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
    this.startSeen = true;
    const skipped = byteOrderMarkLength(bytes);
    this.hasByteOrderMark = skipped > 0;
    this.offset = skipped;
    return bytes.subarray(skipped);
  }
}

/** Text of a line and where its bytes stop being UTF-8: the UTF-16 column, or undefined when all of them are. */
export interface DecodedLine {
  readonly text: string;
  readonly invalidAt: number | undefined;
}

/** Decodes strictly: bytes that are not UTF-8 show as U+FFFD in `text` and the column of the first is told. */
export function decodeLine(bytes: Uint8Array): DecodedLine {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, invalidAt: isUtf8(bytes) ? undefined : columnOfInvalidUtf8(bytes) };
}

/** A decoder that expects more to come fails from the byte on that can never continue: found by halves. */
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

/** The whole characters of the first `length` bytes, or undefined when those can never be UTF-8. */
function decodeStart(bytes: Uint8Array, length: number): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}
