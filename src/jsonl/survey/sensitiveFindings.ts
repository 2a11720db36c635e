import type { JsonLine } from '../fixes/jsonLine';
import type { JsonPath } from '../fixes/jsonParts';
import { isSecret, type SensitiveFinding, type SensitivePattern, type SensitiveRange, sensitivePatterns } from './fileSurvey';
import { findSensitive, maskText } from './sensitiveText';

const maxRanges = 20;
/** Maximum length of text searched at a time. Limits the memory for matches in long texts. */
const pieceLength = 1 << 18;

/** Text being read: its line, and its JSON path. For a key, this is the path of its field. */
export interface ReadText {
  readonly line: number;
  readonly json: JsonLine;
  readonly path: JsonPath;
}

/** Collects sensitive texts in lines. */
export class SensitiveFindings {
  private readonly found = new Map<SensitivePattern, { count: number; readonly ranges: SensitiveRange[] }>();

  /** Searches a text, or the key of a field. `triggers` are the bits of `trigger` found in the text. */
  text(at: ReadText, text: string, isKey: boolean, triggers: number): void {
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      for (const match of findSensitive(text.slice(from, to), triggers)) {
        this.add(match.pattern, at, isKey, text, from + match.start, from + match.end);
      }
      from = to;
    }
  }

  /** Adds the value of a field that holds a secret according to the contract. */
  secret(at: ReadText, text: string): void {
    this.add('token-field', at, false, text, 0, text.length);
  }

  list(): SensitiveFinding[] {
    return sensitivePatterns.flatMap(pattern => {
      const { count = 0, ranges = [] } = this.found.get(pattern) ?? {};
      ranges.sort((a, b) => a.line - b.line || a.start - b.start);
      return count === 0 ? [] : [{ pattern, kind: isSecret(pattern) ? 'secret' : 'personal', count, ranges }];
    });
  }

  private add(pattern: SensitivePattern, at: ReadText, isKey: boolean, text: string, start: number, end: number): void {
    const known = this.found.get(pattern) ?? { count: 0, ranges: [] };
    this.found.set(pattern, known);
    known.count++;
    if (known.ranges.length < maxRanges) {
      const [from, to] = columnsOf(at, isKey, start, end);
      known.ranges.push({ line: at.line, start: from, end: to, masked: maskText(text.slice(start, end)) });
    }
  }
}

/** Returns the columns in the line of [start, end) of a text. An escape has several columns. */
function columnsOf({ json, path }: ReadText, isKey: boolean, start: number, end: number): readonly [number, number] {
  const part = json.partAt(path)?.part;
  let column = ((isKey ? part?.from : part?.start) ?? 0) + 1;
  let unit = 0;
  const moveTo = (offset: number) => {
    for (; unit < offset; unit++) {
      column += json.text[column] !== '\\' ? 1 : json.text[column + 1] === 'u' ? 6 : 2;
    }
    return column;
  };
  return [moveTo(start), moveTo(end)];
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
