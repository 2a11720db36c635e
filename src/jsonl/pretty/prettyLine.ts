import { COLON, COMMA } from '../scanning/jsonBytes';
import {
  codeAt,
  gapBefore,
  isClose,
  isOpen,
  isWord,
  type JsonTokens,
  pairTokens,
  type TokenPairs,
  toJsonTokens,
  tokenText,
} from './jsonTokens';

/** Maximum ratio of the pretty-printed length to the length of the line. Deep nesting would increase the ratio without bound. */
const maxGrowth = 8;
const freeGrowth = 1 << 20;
/** Nesting level from which a line is not pretty-printed. No real request is nested that deeply. */
const deepest = 512;

/** Text joined into one line, or the reason why that is impossible. */
type ToLineResult =
  | { readonly line: string }
  /** Offset of an unclosed string with text on later lines. Joining would make that text a part of the string. */
  | { readonly openStringAt: number };

/**
 * Pretty-prints one line of JSON, with a line break at the end. Only white space changes: numbers, escapes, key order and duplicate keys
 * stay. A line with an unclosed string or too deep nesting stays unchanged.
 */
export function toPretty(line: string, indent = '  '): string {
  const tokens = toJsonTokens(line);
  return `${(tokens.openString < 0 ? layOut(tokens, indent) : undefined) ?? trimmed(tokens)}\n`;
}

/**
 * Joins a pretty-printed text into one line. Between tokens that `pairTokens` finds in `original`, and at both ends, the white space of
 * `original` is used byte for byte. Elsewhere colons and commas are followed by the space after the first colon of `like`. The result never
 * has a line feed.
 */
export function toLine(pretty: string, original: string, like = original): ToLineResult {
  const tokens = toJsonTokens(pretty);
  if (tokens.openString >= 0 && tokens.openString < tokens.starts.length - 1) {
    return { openStringAt: tokens.starts[tokens.openString] ?? 0 };
  }
  const from = toJsonTokens(original);
  return { line: compact(tokens, from, pairTokens(from, tokens), spaceAfterColon(like === original ? from : toJsonTokens(like))) };
}

/** Returns whether two texts have equal tokens and differ only in white space. */
export function hasSameTokens(one: string, other: string): boolean {
  if (one === other) {
    return true;
  }
  const a = toJsonTokens(one);
  const b = toJsonTokens(other);
  return a.starts.length === b.starts.length && a.starts.every((_, index) => tokenText(a, index) === tokenText(b, index));
}

function trimmed({ text, starts, ends }: JsonTokens): string {
  return text.slice(starts[0] ?? text.length, ends.at(-1));
}

function layOut(tokens: JsonTokens, indent: string): string | undefined {
  const most = tokens.text.length * maxGrowth + freeGrowth;
  const lineBreaks = ['\n'];
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  for (let index = 0; index < tokens.starts.length; index++) {
    const code = codeAt(tokens, index);
    depth = isClose(code) ? Math.max(0, depth - 1) : depth;
    if (depth >= deepest || length > most) {
      return undefined;
    }
    lineBreaks[depth] ??= `\n${indent.repeat(depth)}`;
    const space = index === 0 ? '' : spaceOf(codeAt(tokens, index - 1), code, lineBreaks[depth] ?? '\n');
    const text = tokenText(tokens, index);
    parts.push(space, text);
    length += space.length + text.length;
    depth = isOpen(code) ? depth + 1 : depth;
  }
  return parts.join('');
}

/** Returns the space between two tokens, given the codes of their first characters. */
function spaceOf(before: number, after: number, lineBreak: string): string {
  if (isOpen(before)) {
    return isClose(after) ? '' : lineBreak;
  }
  return after === COLON || after === COMMA ? '' : before === COLON ? ' ' : lineBreak;
}

/** Returns the white space after the first colon of a text on one line. */
function spaceAfterColon(tokens: JsonTokens): string {
  const colon = tokens.starts.findIndex((_, index) => codeAt(tokens, index) === COLON);
  const gap = colon < 0 ? '' : gapBefore(tokens, colon + 1);
  return /^[ \t]*$/.test(gap) ? gap : '';
}

function compact(tokens: JsonTokens, from: JsonTokens, pairs: TokenPairs, style: string): string {
  const fromCount = from.starts.length;
  const gap = (index: number): string => {
    const codes = [codeAt(tokens, index - 1), codeAt(tokens, index)] as const;
    const before = pairs[index - 1] ?? -1;
    const after = pairs[index] ?? -1;
    const isSeparated = codes[0] === COLON || codes[0] === COMMA;
    const space = before >= 0 && after === before + 1 ? gapBefore(from, after) : isSeparated ? style : '';
    // Two words must not become one.
    return space === '' && codes.every(isWord) ? ' ' : space;
  };
  const parts: string[] = [fromCount === 0 ? '' : gapBefore(from, 0)];
  for (let index = 0; index < tokens.starts.length; index++) {
    parts.push(index === 0 ? '' : gap(index), tokenText(tokens, index));
  }
  parts.push(fromCount === 0 ? from.text : gapBefore(from, fromCount));
  return parts.join('');
}
