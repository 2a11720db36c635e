import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, CR, LF, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../scanning/jsonBytes';
import { isSpace } from '../scanning/jsonMembers';

/** Tokens of a text, which may be invalid JSON: everything except white space. Offsets are in UTF-16 units. */
export interface JsonTokens {
  readonly text: string;
  readonly starts: readonly number[];
  /** Exclusive end of each token. */
  readonly ends: readonly number[];
  /** Index of the first string whose line ends before its closing quote, or -1. */
  readonly openString: number;
}

/** Splits any text into tokens. An unclosed string ends with its line. */
export function toJsonTokens(text: string): JsonTokens {
  const starts: number[] = [];
  const ends: number[] = [];
  let openString = -1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
      continue;
    }
    starts.push(at);
    if (code === QUOTE) {
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

export function tokenText({ text, starts, ends }: JsonTokens, index: number): string {
  return text.slice(starts[index], ends[index]);
}

/** Returns the white space before a token. With the number of tokens as `index`, returns the white space after the last token. */
export function gapBefore({ text, starts, ends }: JsonTokens, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], starts[index] ?? text.length);
}

/** Returns the code of the first character of a token. */
export function codeAt({ text, starts }: JsonTokens, index: number): number {
  return text.charCodeAt(starts[index] ?? text.length);
}

/** Index of the matching token in the other text for each token of one text, or -1. Ascending. */
export type TokenPairs = Int32Array;

/**
 * Pairs the tokens of `to` with those of `from`. Equal tokens at both ends are paired. The tokens between them are paired one by one if
 * their number is equal in both texts. Takes time linear in the lengths.
 */
export function pairTokens(from: JsonTokens, to: JsonTokens): TokenPairs {
  const count = to.starts.length;
  const fromCount = from.starts.length;
  const fewer = Math.min(count, fromCount);
  const isSame = (fromIndex: number, index: number) => tokenText(from, fromIndex) === tokenText(to, index);
  let head = 0;
  while (head < fewer && isSame(head, head)) {
    head++;
  }
  let tail = 0;
  while (tail < fewer - head && isSame(fromCount - 1 - tail, count - 1 - tail)) {
    tail++;
  }
  return Int32Array.from({ length: count }, (_, index) =>
    index < head || count === fromCount ? index : index >= count - tail ? index - count + fromCount : -1,
  );
}

export function isOpen(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

export function isClose(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function isPunctuation(code: number): boolean {
  return isOpen(code) || isClose(code) || code === COLON || code === COMMA;
}

/** Returns whether a token that starts with `code` is neither punctuation nor a string. */
export function isWord(code: number): boolean {
  return !isPunctuation(code) && code !== QUOTE;
}

function isWordEnd(code: number): boolean {
  return isSpace(code) || isPunctuation(code) || code === QUOTE;
}

/** Returns the exclusive end of the string whose content starts at `from`. If unclosed, the negated end of its line. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      return at + 1;
    }
    if (code === LF || code === CR) {
      return -at;
    }
    if (code === BACKSLASH && !isLineBreak(text.charCodeAt(at + 1))) {
      at++;
    }
  }
  return -text.length;
}

function isLineBreak(code: number): boolean {
  return code === LF || code === CR;
}
