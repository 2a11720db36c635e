import { decodeString } from '../scanning/jsonBytes';
import type { SensitiveFinding, SensitivePattern, SensitiveRange } from './fileSurvey';
import { findSensitive, maskText } from './sensitiveText';
import type { TextListener } from './valueReader';

const maxRanges = 20;
/** Maximum length of text searched at a time. Limits the memory for matches in long texts. */
const pieceLength = 1 << 18;

const kinds: Readonly<Record<SensitivePattern, SensitiveFinding['kind']>> = {
  'private-key': 'secret',
  'api-key': 'secret',
  'json-web-token': 'secret',
  'bearer-token': 'secret',
  'connection-string': 'secret',
  'token-field': 'secret',
  'payment-card': 'personal',
  'bank-account': 'personal',
  'social-security-number': 'personal',
  'e-mail': 'personal',
  'phone-number': 'personal',
};
const patterns = Object.keys(kinds) as readonly SensitivePattern[];

/** Returns whether a pattern finds secrets, as opposed to personal data. */
export function isSecret(pattern: SensitivePattern): boolean {
  return kinds[pattern] === 'secret';
}

/** Collects sensitive texts in lines. The findings of a line only count after `keep`. */
export class SensitiveFindings implements TextListener {
  bytes: Uint8Array = new Uint8Array(0);
  private line = 0;
  private lineStart = 0;
  private readonly counts = new Map<SensitivePattern, number>();
  private readonly ranges = new Map<SensitivePattern, SensitiveRange[]>();
  private readonly found = new Map<SensitivePattern, number>();
  private readonly foundRanges: (readonly [SensitivePattern, SensitiveRange])[] = [];

  /** Starts a line, which begins at `lineStart` in `bytes`. */
  startLine(line: number, lineStart: number): void {
    this.line = line;
    this.lineStart = lineStart;
    if (this.found.size > 0) {
      this.found.clear();
      this.foundRanges.length = 0;
    }
  }

  text(start: number, end: number, triggers: number): void {
    const text = decodeString(this.bytes, start, end);
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      for (const match of findSensitive(text.slice(from, to), triggers)) {
        this.add(match.pattern, start, text, from + match.start, from + match.end);
      }
      from = to;
    }
  }

  secret(start: number, end: number): void {
    const text = decodeString(this.bytes, start, end);
    this.add('token-field', start, text, 0, text.length);
  }

  keep(): void {
    for (const [pattern, count] of this.found) {
      this.counts.set(pattern, (this.counts.get(pattern) ?? 0) + count);
    }
    for (const [pattern, range] of this.foundRanges) {
      const ranges = this.ranges.get(pattern) ?? [];
      this.ranges.set(pattern, ranges);
      if (ranges.length < maxRanges) {
        ranges.push(range);
      }
    }
  }

  list(): SensitiveFinding[] {
    return patterns.flatMap(pattern => {
      const count = this.counts.get(pattern);
      const ranges = (this.ranges.get(pattern) ?? []).sort((a, b) => a.line - b.line || a.start - b.start);
      return count === undefined ? [] : [{ pattern, kind: kinds[pattern], count, ranges }];
    });
  }

  private add(pattern: SensitivePattern, textStart: number, text: string, start: number, end: number): void {
    const count = this.found.get(pattern) ?? 0;
    this.found.set(pattern, count + 1);
    if (count + (this.counts.get(pattern) ?? 0) < maxRanges) {
      const [from, to] = this.columns(textStart, start, end);
      this.foundRanges.push([pattern, { line: this.line, start: from, end: to, masked: maskText(text.slice(start, end)) }]);
    }
  }

  /** Returns the UTF-16 columns in the line of [start, end), in code units of the text whose opening quote is at `textStart`. */
  private columns(textStart: number, start: number, end: number): readonly [number, number] {
    let column = 0;
    for (let at = this.lineStart; at <= textStart; at++) {
      column += unitsOf(this.bytes[at] as number);
    }
    let at = textStart + 1;
    let unit = 0;
    let from = column;
    while (unit < end) {
      if (unit === start) {
        from = column;
      }
      if (this.bytes[at] === 0x5c) {
        const width = this.bytes[at + 1] === 0x75 ? 6 : 2;
        at += width;
        column += width;
        unit++;
      } else {
        const units = unitsOf(this.bytes[at++] as number);
        column += units;
        unit += units;
      }
    }
    // All units are counted, even if `at` is before the last bytes of a character.
    return [from, column];
  }
}

/**
 * Returns the offset at which to split a long text: after white space near the end of the piece if possible. Matches across the split are
 * missed.
 */
function endOfPiece(text: string, from: number): number {
  const most = from + pieceLength;
  if (most >= text.length) {
    return text.length;
  }
  for (let at = most; at > most - 4096; at--) {
    if (text.charCodeAt(at - 1) <= 0x20) {
      return at;
    }
  }
  return most;
}

/** Returns the number of UTF-16 code units of a character, by its first byte; 0 for other bytes. */
function unitsOf(byte: number): number {
  return (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}
