import {
  codeAt,
  type GapKind,
  gapBefore,
  isClose,
  isOpen,
  isWord,
  type JsonTokens,
  pairTokens,
  type TokenPairs,
  toGapKind,
  toJsonTokens,
  tokenText,
} from './jsonTokens';

/** Maximum ratio of the pretty-printed length to the length of the line. Deep nesting would increase the ratio without bound. */
const maxGrowth = 8;
const freeGrowth = 1 << 20;
/** Nesting level from which a line is not pretty-printed. No real request is nested that deeply. */
const deepest = 512;

/** Text joined into one line, or the reason why that is impossible. */
export type ToLineResult =
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
 * Joins a pretty-printed text into one line. Between tokens that `pairTokens` finds in `original`, the white space of `original` is used byte
 * for byte. The same applies at both ends. Elsewhere the most common spacing of `like` is used. The result never has a line feed.
 */
export function toLine(pretty: string, original: string, like = original): ToLineResult {
  const tokens = toJsonTokens(pretty);
  if (tokens.openString >= 0 && tokens.openString < tokens.starts.length - 1) {
    return { openStringAt: tokens.starts[tokens.openString] ?? 0 };
  }
  const from = toJsonTokens(original);
  return { line: compact(tokens, from, pairTokens(from, tokens), findStyle(like === original ? from : toJsonTokens(like))) };
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
    const space = index === 0 ? '' : spaceOf(toGapKind(codeAt(tokens, index - 1), code), lineBreaks[depth] ?? '\n');
    const text = tokenText(tokens, index);
    parts.push(space, text);
    length += space.length + text.length;
    depth = isOpen(code) ? depth + 1 : depth;
  }
  return parts.join('');
}

function spaceOf(kind: GapKind, lineBreak: string): string {
  switch (kind) {
    case 'empty':
    case 'beforeColon':
    case 'beforeComma':
      return '';
    case 'afterColon':
      return ' ';
    default:
      return lineBreak;
  }
}

type Style = ReadonlyMap<GapKind, string>;

function findStyle(tokens: JsonTokens): Style {
  const counts = new Map<GapKind, Map<string, number>>();
  for (let index = 1; index < tokens.starts.length; index++) {
    const gap = gapBefore(tokens, index);
    if (/^[ \t]*$/.test(gap)) {
      const kind = toGapKind(codeAt(tokens, index - 1), codeAt(tokens, index));
      const ofKind = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, ofKind.set(gap, (ofKind.get(gap) ?? 0) + 1));
    }
  }
  const style = new Map<GapKind, string>();
  for (const [kind, ofKind] of counts) {
    style.set(kind, [...ofKind].reduce((most, next) => (next[1] > most[1] ? next : most))[0]);
  }
  // A missing kind uses the spacing of its counterpart.
  for (const [one, other] of [
    ['afterComma', 'afterColon'],
    ['afterColon', 'afterComma'],
    ['open', 'close'],
    ['close', 'open'],
  ] as const) {
    const known = style.get(other);
    if (!style.has(one) && known !== undefined) {
      style.set(one, known);
    }
  }
  return style;
}

function compact(tokens: JsonTokens, from: JsonTokens, pairs: TokenPairs, style: Style): string {
  const fromCount = from.starts.length;
  const gap = (index: number): string => {
    const codes = [codeAt(tokens, index - 1), codeAt(tokens, index)] as const;
    const before = pairs[index - 1] ?? -1;
    const after = pairs[index] ?? -1;
    const space = before >= 0 && after === before + 1 ? gapBefore(from, after) : (style.get(toGapKind(...codes)) ?? '');
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
