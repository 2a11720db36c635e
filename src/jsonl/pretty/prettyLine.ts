import { codeAt, type GapKind, gapBefore, isClose, isOpen, type JsonTokens, toGapKind, toJsonTokens, tokenText } from './jsonTokens';
import { pairTokens, type TokenPairs } from './tokenPairs';

/** How much longer than its line a text may become by white space alone; deep nesting would make it grow without end. */
const mostGrowth = 8;
const freeGrowth = 1 << 20;
/** Deeper nesting is no request, and no editor shows it. */
const deepest = 512;

/** What a text comes to as one line, or why it cannot be one. */
export type ToLineResult =
  | { readonly line: string }
  /** A string is not closed on its own line, and more follows: joined, it would swallow what follows. `offset` is where it begins. */
  | { readonly openStringAt: number };

/**
 * One line of JSON as a text over many lines that ends with a line break. Every token stands as it is written (numbers, escapes,
 * order of keys, doubled keys); only the white space between them is another. A line whose strings do not end, or whose nesting
 * knows no end, is shown as it stands.
 */
export function toPretty(line: string, indent = '  '): string {
  const tokens = toJsonTokens(line);
  return `${(tokens.openString < 0 ? layOut(tokens, indent) : undefined) ?? trimmed(tokens)}\n`;
}

/**
 * The line that a text over many lines stands for. Where its tokens are those of `original`, the white space is that of
 * `original`, byte for byte, its leading and trailing one included; elsewhere it is what `like` has mostly in such places. The
 * result never has a line feed.
 */
export function toLine(pretty: string, original: string, like = original): ToLineResult {
  const tokens = toJsonTokens(pretty);
  if (tokens.openString >= 0 && tokens.openString < tokens.starts.length - 1) {
    return { openStringAt: tokens.starts[tokens.openString] ?? 0 };
  }
  const from = toJsonTokens(original);
  return { line: compact(tokens, from, pairTokens(from, tokens), findStyle(like === original ? from : toJsonTokens(like))) };
}

/** Whether two texts say the same: all of their tokens are equal, and only white space differs. */
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
  const most = tokens.text.length * mostGrowth + freeGrowth;
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

/** White space by its kind, as a line has it mostly. */
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
  // Who writes one of them with a space writes the other so too.
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
  const count = tokens.starts.length;
  const fromCount = from.starts.length;
  const kept = new Uint8Array(fromCount);
  for (const fromIndex of pairs) {
    if (fromIndex >= 0) {
      kept[fromIndex] = 1;
    }
  }
  /** The gap before `fromIndex`, when the tokens around it were like these. */
  const reuse = (fromIndex: number, kind: GapKind): string | undefined =>
    fromIndex > 0 && fromIndex < fromCount && toGapKind(codeAt(from, fromIndex - 1), codeAt(from, fromIndex)) === kind
      ? gapBefore(from, fromIndex)
      : undefined;
  const gap = (index: number): string => {
    const kind = toGapKind(codeAt(tokens, index - 1), codeAt(tokens, index));
    const before = pairs[index - 1] ?? -1;
    const after = pairs[index] ?? -1;
    if (before >= 0 && after === before + 1) {
      return gapBefore(from, after);
    }
    // Something else stood here, with white space around it.
    const around =
      before >= 0 && after < 0 && kept[before + 1] === 0
        ? reuse(before + 1, kind)
        : before < 0 && after > 0 && kept[after - 1] === 0
          ? reuse(after, kind)
          : undefined;
    return around ?? (kind === 'other' ? (gapBefore(tokens, index) === '' ? '' : ' ') : (style.get(kind) ?? ''));
  };
  const parts: string[] = [fromCount === 0 ? '' : gapBefore(from, 0)];
  for (let index = 0; index < count; index++) {
    parts.push(index === 0 ? '' : gap(index), tokenText(tokens, index));
  }
  parts.push(fromCount === 0 ? from.text : gapBefore(from, fromCount));
  return parts.join('');
}
