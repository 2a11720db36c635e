/** Span of a text and its replacement in another text. Offsets are UTF-16. */
export interface TextDifference {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** Returns the one span by which two texts differ. Never splits a surrogate pair. */
export function differenceOf(before: string, after: string): TextDifference {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) {
    start++;
  }
  start -= isHighSurrogate(before.charCodeAt(start - 1)) ? 1 : 0;
  let same = 0;
  while (same < most - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) {
    same++;
  }
  same -= same > 0 && isHighSurrogate(before.charCodeAt(before.length - same - 1)) ? 1 : 0;
  return { start, end: before.length - same, words: after.slice(start, after.length - same) };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
