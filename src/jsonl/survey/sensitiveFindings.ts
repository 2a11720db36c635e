import { decodeString } from '../scanning/jsonBytes';
import { isSecret, type SensitiveFinding, type SensitivePattern, type SensitiveRange, sensitivePatterns } from './fileSurvey';
import { findSensitive, maskText } from './sensitiveText';

const maxRanges = 20;
/** Maximum length of text searched at a time. Limits the memory for matches in long texts. */
const pieceLength = 1 << 18;

type Found = Map<SensitivePattern, { count: number; readonly ranges: SensitiveRange[] }>;

/** Line that is being read. It starts at `lineStart` in `bytes`. */
export interface ReadLine {
  readonly bytes: Uint8Array;
  readonly line: number;
  readonly lineStart: number;
}

/**
 * Collects sensitive texts in lines. The findings of a line only count after `keep`. Texts are spans of JSON strings including their quotes.
 */
export class SensitiveFindings {
  private readonly found: Found = new Map();
  /** Findings in the current line, until `keep` adds them. */
  private readonly pending: Found = new Map();
  private line = -1;

  /** Searches a text. `triggers` are the bits of `trigger` found in it. */
  text(line: ReadLine, start: number, end: number, triggers: number): void {
    const text = decodeString(line.bytes, start, end);
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      for (const match of findSensitive(text.slice(from, to), triggers)) {
        this.add(match.pattern, line, start, text, from + match.start, from + match.end);
      }
      from = to;
    }
  }

  /** Adds the value of a field that holds a secret according to the contract. */
  secret(line: ReadLine, start: number, end: number): void {
    const text = decodeString(line.bytes, start, end);
    this.add('token-field', line, start, text, 0, text.length);
  }

  /** Adds the findings of a line to the list. */
  keep(line: number): void {
    for (const [pattern, { count, ranges }] of this.line === line ? this.pending : []) {
      const all = foundOf(this.found, pattern);
      all.count += count;
      all.ranges.push(...ranges);
    }
  }

  list(): SensitiveFinding[] {
    return sensitivePatterns.flatMap(pattern => {
      const { count = 0, ranges = [] } = this.found.get(pattern) ?? {};
      ranges.sort((a, b) => a.line - b.line || a.start - b.start);
      return count === 0 ? [] : [{ pattern, kind: isSecret(pattern) ? 'secret' : 'personal', count, ranges }];
    });
  }

  private add(pattern: SensitivePattern, line: ReadLine, textStart: number, text: string, start: number, end: number): void {
    if (this.line !== line.line) {
      this.line = line.line;
      this.pending.clear();
    }
    const own = foundOf(this.pending, pattern);
    own.count++;
    if (own.ranges.length + (this.found.get(pattern)?.ranges.length ?? 0) < maxRanges) {
      const [from, to] = columnsIn(line, textStart, start, end);
      own.ranges.push({ line: line.line, start: from, end: to, masked: maskText(text.slice(start, end)) });
    }
  }
}

function foundOf(found: Found, pattern: SensitivePattern): { count: number; readonly ranges: SensitiveRange[] } {
  const known = found.get(pattern) ?? { count: 0, ranges: [] };
  found.set(pattern, known);
  return known;
}

/** Returns the UTF-16 columns in the line of [start, end), in code units of the text whose opening quote is at `textStart`. */
function columnsIn({ bytes, lineStart }: ReadLine, textStart: number, start: number, end: number): readonly [number, number] {
  let column = 0;
  for (let at = lineStart; at <= textStart; at++) {
    column += unitsOf(bytes[at] as number);
  }
  let at = textStart + 1;
  let unit = 0;
  let from = column;
  while (unit < end) {
    if (unit === start) {
      from = column;
    }
    if (bytes[at] === 0x5c) {
      const width = bytes[at + 1] === 0x75 ? 6 : 2;
      at += width;
      column += width;
      unit++;
    } else {
      const units = unitsOf(bytes[at++] as number);
      column += units;
      unit += units;
    }
  }
  // All units are counted, even if `at` is before the last bytes of a character.
  return [from, column];
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
