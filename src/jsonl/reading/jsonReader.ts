import { countLineEnds } from '../../shared/text';
import { endOfValue, skipSpace } from '../scanning/jsonMembers';
import { pieceLength, stopReading, type TextSource } from './textFile';

/** Maximum length of a row or value. Anything longer is the result of an unclosed quotation mark or bracket. */
const maxLength = 64 * 1024 * 1024;

/** Part of a text that is read piece by piece. The window starts at or before the first unread character. */
export class TextWindow {
  text = '';
  /** Offset of the first unread character in `text`. */
  at = 0;
  /** Line and UTF-16 column of the first unread character, 0-based. */
  line = 0;
  column = 0;
  lineEnd: '\n' | '\r' = '\n';
  /** True if nothing follows the window. */
  isLast = false;

  constructor(private readonly source: TextSource) {}

  moveTo(offset: number): void {
    const lines = countLineEnds(this.text, this.at, offset, this.lineEnd);
    this.column = lines === 0 ? this.column + offset - this.at : offset - 1 - this.text.lastIndexOf(this.lineEnd, offset - 1);
    this.line += lines;
    this.at = offset;
  }

  /**
   * Reads the next piece. Doubles the text, so that a long row is not scanned from its start for each piece. Returns false at the end. Throws
   * a `TextError` with a text if the unread part is too long.
   */
  fill(tooLong: string): boolean {
    const unread = this.text.length - this.at;
    if (unread > maxLength) {
      stopReading(this.line, tooLong);
    }
    if (!this.isLast) {
      const more = this.source.read(Math.max(pieceLength, unread));
      this.isLast = more === '';
      this.text = this.text.slice(this.at) + more;
      this.at = 0;
    }
    return !this.isLast;
  }
}

/** Reads JSON value by value, with memory for one value. Doesn't check that values are valid. */
export class JsonReader extends TextWindow {
  /** Returns the next character that is not white space, or '' at the end. */
  peek(): string {
    for (;;) {
      this.moveTo(skipSpace(this.text, this.at));
      if (this.at < this.text.length || !this.fill('Not closed.')) {
        return this.text[this.at] ?? '';
      }
    }
  }

  take(): void {
    this.moveTo(this.at + 1);
  }

  /** Reads the text of the value that starts at the character from `peek`. */
  value(): string {
    const end = this.endOfValue();
    if (end === -1) {
      stopReading(this.line, 'Not closed.');
    }
    if (end === this.at) {
      stopReading(this.line, 'Expected a value.');
    }
    const value = this.text.slice(this.at, end);
    this.moveTo(end);
    return value;
  }

  /** Returns the end of the value that starts at the character from `peek`, or -1 if the text ends first. */
  endOfValue(): number {
    let end = endOfValue(this.text, this.at);
    while (end === -1 && this.fill('Not closed.')) {
      end = endOfValue(this.text, this.at);
    }
    // A scalar has no closing character, so it may end at the end of the text.
    const isScalar = end === -1 && /^[^"{[]/.test(this.text.slice(this.at, this.at + 1));
    return isScalar ? this.text.length : end;
  }
}
