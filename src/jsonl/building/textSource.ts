import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { countLineEnds } from '../../shared/text';
import { byteOrderMarkLength } from '../scanning/lineText';
import { stopReading } from './rowsReport';

/** Text that is read in pieces. */
export interface TextSource {
  /** Returns the next piece of about `wanted` characters. Returns an empty text only at the end. */
  read(wanted: number): string;
}

export const pieceLength = 512 * 1024;
/** Maximum length of a row. Anything longer is the result of an unclosed quotation mark or bracket. */
export const maxRowLength = 64 * 1024 * 1024;

/**
 * Decodes chunks of UTF-8 strictly, wherever they are split. Drops a byte order mark. Throws a `RowsError` with the line of invalid bytes.
 */
export class Utf8Source implements TextSource {
  private buffer = Buffer.alloc(0);
  private carried = 0;
  private line = 0;
  private isStart = true;
  doneBytes = 0;

  /** Creates a source. `readBytes` fills a buffer from offset `at` and returns the number of bytes read, 0 at the end. */
  constructor(private readonly readBytes: (buffer: Buffer, at: number) => number) {}

  read(wanted: number): string {
    for (;;) {
      if (this.buffer.length < wanted + 4) {
        const larger = Buffer.alloc(wanted + 4);
        this.buffer.copy(larger, 0, 0, this.carried);
        this.buffer = larger;
      }
      const count = this.readBytes(this.buffer, this.carried);
      const end = this.carried + count;
      this.doneBytes += count;
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

/** Reads a file as text. Call `close` when done. */
export class TextFile implements TextSource {
  private readonly file: number;
  private readonly source: Utf8Source;
  readonly totalBytes: number;

  constructor(path: string, onRead: (doneBytes: number, totalBytes: number) => void = () => {}) {
    this.file = openSync(path, 'r');
    this.totalBytes = fstatSync(this.file).size;
    this.source = new Utf8Source((buffer, at) => {
      onRead(this.source.doneBytes, this.totalBytes);
      return readSync(this.file, buffer, at, buffer.length - at, null);
    });
  }

  read(wanted: number): string {
    return this.source.read(wanted);
  }

  close(): void {
    closeSync(this.file);
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
