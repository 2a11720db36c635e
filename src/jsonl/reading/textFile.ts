import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ProblemText } from '../../contract/problem';
import { countLineEnds } from '../../shared/text';
import { byteOrderMarkLength } from '../scanning/lineText';
import { type PassContext, toOnRead } from '../files/lineFile';

/** Problem of a text. */
export interface TextProblem {
  /** Line number, 0-based. */
  readonly line: number;
  readonly text: ProblemText;
}

/** Thrown if the rest of a text can't be read. */
export class TextError extends Error {
  override readonly name = 'TextError';

  constructor(readonly problem: TextProblem) {
    super(problem.text.template);
  }
}

/** Throws a `TextError` that ends reading at a line (0-based). */
export function stopReading(line: number, template: string, ...args: readonly (string | number)[]): never {
  throw new TextError({ line, text: { template, args } });
}

export const pieceLength = 512 * 1024;

/** Text that is read in pieces. */
export interface TextSource {
  /** Returns the next piece of about `wanted` characters. Returns an empty text only at the end. */
  read(wanted: number): string;
}

/** Decodes strict UTF-8, however its bytes are split. Drops a byte order mark. Throws a `TextError` with the line of invalid bytes. */
export abstract class Utf8Source implements TextSource {
  private buffer = Buffer.alloc(0);
  private carried = 0;
  private line = 0;
  private isStart = true;

  /** Fills a buffer from offset `at` and returns the number of bytes read, 0 at the end. */
  protected abstract readBytes(buffer: Buffer, at: number): number;

  read(wanted: number): string {
    for (;;) {
      if (this.buffer.length < wanted + 4) {
        const larger = Buffer.alloc(wanted + 4);
        this.buffer.copy(larger, 0, 0, this.carried);
        this.buffer = larger;
      }
      const count = this.readBytes(this.buffer, this.carried);
      const end = this.carried + count;
      if (this.isStart && end < 3 && count > 0) {
        this.carried = end;
        continue;
      }
      const whole = count === 0 ? end : end - unfinishedBytes(this.buffer, end);
      const text = this.decode(this.buffer.subarray(0, whole));
      this.buffer.copy(this.buffer, 0, whole, end);
      this.carried = end - whole;
      if (text !== '' || count === 0) {
        return text;
      }
    }
  }

  private decode(bytes: Buffer): string {
    let from = 0;
    if (this.isStart) {
      this.isStart = false;
      if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
        stopReading(0, 'Save the file as UTF-8 ("CSV UTF-8" in Excel).');
      }
      from = byteOrderMarkLength(bytes);
    }
    const plain = isAscii(bytes);
    if (!plain && !isUtf8(bytes)) {
      stopReading(this.badLine(bytes), 'Save the file as UTF-8 ("CSV UTF-8" in Excel).');
    }
    const text = bytes.toString(plain ? 'latin1' : 'utf8', from);
    this.line += countLineEnds(text);
    return text;
  }

  private badLine(bytes: Buffer): number {
    let { line } = this;
    for (let from = 0; ; line++) {
      const end = bytes.indexOf(10, from);
      if (end === -1 || !isUtf8(bytes.subarray(from, end))) {
        return line;
      }
      from = end + 1;
    }
  }
}

/** Reads a file as text and reports its progress. Blocks, so use it in a worker thread. Call `close` when done. */
export class TextFile extends Utf8Source {
  private readonly file: number;
  private readonly onRead: ((doneBytes: number) => void) | undefined;
  private doneBytes = 0;
  readonly totalBytes: number;

  constructor(path: string, context?: PassContext) {
    super();
    this.file = openSync(path, 'r');
    this.totalBytes = fstatSync(this.file).size;
    this.onRead = context && toOnRead(context, this.totalBytes);
  }

  close(): void {
    closeSync(this.file);
  }

  protected override readBytes(buffer: Buffer, at: number): number {
    this.onRead?.(this.doneBytes);
    const count = readSync(this.file, buffer, at, buffer.length - at, null);
    this.doneBytes += count;
    return count;
  }
}

function unfinishedBytes(bytes: Buffer, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] as number;
    if (byte < 0x80) {
      return 0;
    }
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}
