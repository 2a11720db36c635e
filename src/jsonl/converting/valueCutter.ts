import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  decodeString,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../scanning/jsonBytes';

type Emit = (start: number, end: number, line: number, isTooLong: boolean) => void;

/**
 * Splits multi-line JSON into its items: consecutive values, or the elements of an array that is the whole file or the field `requests` of
 * an object. Only matches brackets; doesn't check that items are valid JSON. If brackets or quotes don't match, the item ends before the
 * next line that starts like an item.
 */
export class ValueCutter {
  private at = 0;
  private line = 0;
  /** Offset after the last LF. Can be negative, before the buffer. */
  private lineStart = 0;
  private readonly open: number[] = [];
  /** Number of open brackets around an item; -1 while no item can start. */
  private base: number;
  private inText = false;
  private textStart = -1;
  private key = '';
  private previous = 0;
  private itemStart = -1;
  private itemLine = 0;
  private firstColumn = -1;
  private isLost = false;
  private isTooLong = false;

  constructor(
    layout: 'values' | 'elements',
    private readonly maxBytes: number,
  ) {
    this.base = layout === 'values' ? 0 : -1;
  }

  /**
   * Continues with the bytes up to `end`. The buffer must start at the offset returned by the previous call, because later bytes are still
   * needed. `from` only applies at the start of the file.
   */
  cut(bytes: Buffer, from: number, end: number, isLast: boolean, emit: Emit): number {
    this.at = Math.max(this.at, from);
    while (this.at < end) {
      if (this.isLost) {
        if (!this.findNext(bytes, end, isLast, emit)) {
          break;
        }
      } else if (this.inText) {
        if (!this.passText(bytes, end)) {
          break;
        }
        this.endOfText(emit);
      } else {
        this.step(bytes, emit);
      }
    }
    if (isLast) {
      this.finish(end, emit);
    }
    if (this.itemStart >= 0 && end - this.itemStart > this.maxBytes) {
      this.isTooLong = true;
      this.itemStart = this.at;
    }
    const retained = this.itemStart >= 0 ? this.itemStart : this.textStart >= 0 ? this.textStart : this.at;
    this.at -= retained;
    this.lineStart -= retained;
    this.itemStart = this.itemStart >= 0 ? 0 : -1;
    this.textStart = this.textStart >= 0 ? this.textStart - retained : -1;
    return retained;
  }

  /** Skips the rest of a string. Returns `false` if it continues after `end`. */
  private passText(bytes: Buffer, end: number): boolean {
    while (this.at < end) {
      const byte = bytes[this.at];
      if (byte === QUOTE) {
        this.at++;
        this.inText = false;
        if (this.textStart >= 0) {
          this.key = readKey(bytes, this.textStart, this.at);
          this.textStart = -1;
        }
        return true;
      }
      if (byte === BACKSLASH) {
        if (this.at + 1 >= end) {
          return false;
        }
        this.at++;
      } else if (byte === LF) {
        this.lose();
        return true;
      }
      this.at++;
    }
    return false;
  }

  private endOfText(emit: Emit): void {
    if (!this.isLost) {
      this.previous = QUOTE;
      if (this.isAtItems() && this.itemStart >= 0) {
        this.end(this.at, emit);
      }
    }
  }

  private step(bytes: Buffer, emit: Emit): void {
    const byte = bytes[this.at] as number;
    if (byte === LF || byte === 0x20 || byte === 0x09 || byte === 0x0d) {
      this.endWord(emit);
      this.at++;
      if (byte === LF) {
        this.line++;
        this.lineStart = this.at;
      }
      return;
    }
    const opens = byte === OPEN_BRACE || byte === OPEN_BRACKET;
    const closes = byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
    if (this.isAtItems() && (opens || closes || byte === COMMA || byte === QUOTE)) {
      this.endWord(emit);
    }
    if (this.isAtItems() && this.itemStart < 0 && byte !== COMMA && !(closes && this.base > 0)) {
      this.startItem();
    } else if ((opens || byte === QUOTE) && this.open.length > 0 && !mayStandBeforeValue(this.previous)) {
      if (byte === OPEN_BRACE && this.itemStart >= 0 && this.itemLine !== this.line && this.at - this.lineStart === this.firstColumn) {
        this.startAnew(emit);
      } else {
        this.lose();
      }
      return;
    }
    this.at++;
    if (byte === QUOTE) {
      this.inText = true;
      this.textStart = this.base < 0 && this.open.length === 1 ? this.at - 1 : -1;
    } else if (opens) {
      this.push(byte);
    } else if (closes) {
      this.pop(byte, emit);
    }
    this.previous = byte;
  }

  private push(byte: number): void {
    const isRequests = this.open.length === 1 && byte === OPEN_BRACKET && this.previous === COLON && this.key === 'requests';
    this.open.push(byte);
    if (this.base < 0 && (isRequests || (this.open.length === 1 && byte === OPEN_BRACKET))) {
      this.base = this.open.length;
    }
  }

  private pop(byte: number, emit: Emit): void {
    // In ASCII, the code of a closing brace or bracket is two more than that of the opening one.
    if (this.open.at(-1) !== byte - 2) {
      this.lose();
      return;
    }
    this.open.pop();
    if (this.open.length < this.base) {
      this.base = -1;
    } else if (this.isAtItems() && this.itemStart >= 0) {
      this.end(this.at, emit);
    }
  }

  private isAtItems(): boolean {
    return this.open.length === this.base;
  }

  private startItem(): void {
    this.itemStart = this.at;
    this.itemLine = this.line;
    if (this.firstColumn < 0) {
      this.firstColumn = this.at - this.lineStart;
    }
  }

  private endWord(emit: Emit): void {
    if (this.itemStart >= 0 && this.isAtItems()) {
      this.end(this.at, emit);
    }
  }

  private end(at: number, emit: Emit): void {
    emit(this.itemStart, at, this.itemLine, this.isTooLong);
    this.itemStart = -1;
    this.isTooLong = false;
  }

  /** Marks the structure as lost: brackets can't be matched from here on. */
  private lose(): void {
    this.isLost = true;
    this.inText = false;
    this.textStart = -1;
    if (this.itemStart < 0 && this.base >= 0) {
      this.startItem();
    }
  }

  /**
   * Searches for a line that starts like an item: with a brace in the column of the first item. Returns `false` if more bytes are needed.
   */
  private findNext(bytes: Buffer, end: number, isLast: boolean, emit: Emit): boolean {
    const lineFeed = this.base < 0 ? -1 : bytes.subarray(0, end).indexOf(LF, this.at);
    if (lineFeed < 0) {
      this.at = end;
      return true;
    }
    if (lineFeed + 1 + this.firstColumn >= end && !isLast) {
      this.at = lineFeed;
      return false;
    }
    this.line++;
    this.at = lineFeed + 1;
    this.lineStart = this.at;
    if (this.isItemLine(bytes, end)) {
      this.startAnew(emit);
    }
    return true;
  }

  private startAnew(emit: Emit): void {
    this.end(this.at, emit);
    this.open.length = this.base;
    this.previous = COMMA;
    this.isLost = false;
  }

  private isItemLine(bytes: Buffer, end: number): boolean {
    let at = this.at;
    while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) {
      at++;
    }
    return bytes[at] === OPEN_BRACE && at - this.at === this.firstColumn;
  }

  private finish(end: number, emit: Emit): void {
    if (this.itemStart >= 0) {
      this.end(end, emit);
    }
  }
}

/** Returns whether a value can follow a byte inside an array or object. */
function mayStandBeforeValue(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function readKey(bytes: Buffer, start: number, end: number): string {
  try {
    return decodeString(bytes, start, end);
  } catch {
    return '';
  }
}
