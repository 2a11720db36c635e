import { Code } from '../scanning/code';
import { isSpace } from '../scanning/jsonMembers';

/** The tokens of a JSON text, right or wrong: everything in it that is no white space. Offsets are UTF-16. */
export interface JsonTokens {
  readonly text: string;
  readonly starts: readonly number[];
  /** Exclusive. */
  readonly ends: readonly number[];
  /** The first string whose line ends before its quote, as the number of its token; -1 when there is none. */
  readonly openString: number;
}

/** What stands between two tokens, by what the white space there is for; `other` where no JSON has two such tokens in a row. */
export type GapKind = 'empty' | 'open' | 'close' | 'beforeColon' | 'afterColon' | 'beforeComma' | 'afterComma' | 'other';

/** Takes a text apart. Any text has tokens; a string that is not closed ends with its line. */
export function toJsonTokens(text: string): JsonTokens {
  const starts: number[] = [];
  const ends: number[] = [];
  let openString = -1;
  let at = text.charCodeAt(0) === Code.byteOrderMark ? 1 : 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
      continue;
    }
    starts.push(at);
    if (code === Code.quote) {
      const end = endOfString(text, at + 1);
      at = Math.abs(end);
      if (end < 0 && openString < 0) {
        openString = starts.length - 1;
      }
    } else if (isPunctuation(code)) {
      at++;
    } else {
      do {
        at++;
      } while (at < text.length && !isWordEnd(text.charCodeAt(at)));
    }
    ends.push(at);
  }
  return { text, starts, ends, openString };
}

/** The text of one token. */
export function tokenText({ text, starts, ends }: JsonTokens, index: number): string {
  return text.slice(starts[index], ends[index]);
}

/** The white space before one token; behind the last one with `index` one more than there are. */
export function gapBefore({ text, starts, ends }: JsonTokens, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], starts[index] ?? text.length);
}

/** First character of a token. */
export function codeAt({ text, starts }: JsonTokens, index: number): number {
  return text.charCodeAt(starts[index] ?? text.length);
}

/** What the white space between two tokens is for, by their first characters. */
export function toGapKind(before: number, after: number): GapKind {
  if (isOpen(before)) {
    return isClose(after) ? 'empty' : 'open';
  }
  if (isClose(after)) {
    return 'close';
  }
  if (after === Code.colon) {
    return 'beforeColon';
  }
  if (after === Code.comma) {
    return 'beforeComma';
  }
  return before === Code.colon ? 'afterColon' : before === Code.comma ? 'afterComma' : 'other';
}

export function isOpen(code: number): boolean {
  return code === Code.openBrace || code === Code.openBracket;
}

export function isClose(code: number): boolean {
  return code === Code.closeBrace || code === Code.closeBracket;
}

export function isPunctuation(code: number): boolean {
  return isOpen(code) || isClose(code) || code === Code.colon || code === Code.comma;
}

function isWordEnd(code: number): boolean {
  return isSpace(code) || isPunctuation(code) || code === Code.quote;
}

/** Where the string ends whose first character behind the quote is at `at`: behind its quote, or, negative, where its line ends. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === Code.quote) {
      return at + 1;
    }
    if (code === Code.lineFeed || code === Code.carriageReturn) {
      return -at;
    }
    if (code === Code.backslash && !isLineBreak(text.charCodeAt(at + 1))) {
      at++;
    }
  }
  return -text.length;
}

function isLineBreak(code: number): boolean {
  return code === Code.lineFeed || code === Code.carriageReturn;
}
