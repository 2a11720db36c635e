import type { TokenRange } from './fileSurvey';

/** Kinds of text that tokenizers treat differently, and kinds of overhead in a prompt. */
export const tokenKind = {
  word: 1,
  capitals: 2,
  digits: 3,
  space: 4,
  punctuation: 5,
  accented: 6,
  han: 7,
  hangul: 8,
  cyrillic: 9,
  arabic: 10,
  indic: 11,
  emoji: 12,
  symbol: 13,
  message: 14,
  tool: 15,
  serviceTool: 16,
  tools: 17,
} as const;
type TokenKind = (typeof tokenKind)[keyof typeof tokenKind];

export const tokenKinds = 18;

/** Likely tokens of a run of letters, digits, white space or punctuation, of one other character, or of one part of a prompt. */
interface KindOfToken {
  readonly one: number;
  /** Likely tokens of a run of several characters, and of each character beyond the first `free` ones. */
  readonly run?: number;
  readonly each?: number;
  readonly free?: number;
  /** Factors from the likely value to the ends of the range. */
  readonly low: number;
  readonly high: number;
}

/**
 * All assumptions of the estimate. The service's tokenizer is not public. These numbers fit byte-pair tokenizers with 50,000 to 250,000
 * entries. An English word with the preceding space is one token, a long word two. Up to three digits share a token. Each punctuation mark
 * is nearly one token. A Chinese or Japanese character is 0.6 to 1.6 tokens. Other scripts cost more the rarer they were in training.
 * English prose then has 4.3 characters per token (range 3 to 5.6), source code 2.7 (1.7 to 3.9) and base64 1.7 (1 to 2.4). The overhead
 * that the service adds is guessed.
 */
const kinds: Readonly<Record<TokenKind, KindOfToken>> = {
  [tokenKind.word]: { one: 1.12, run: 1.12, each: 0.27, free: 6, low: 0.78, high: 1.4 },
  [tokenKind.capitals]: { one: 1, run: 0.6, each: 0.35, low: 0.65, high: 1.6 },
  [tokenKind.digits]: { one: 1, run: 0.65, each: 0.35, low: 0.65, high: 2.6 },
  // A single space belongs to the following word.
  [tokenKind.space]: { one: 0, run: 0.9, each: 0.02, low: 0.3, high: 1.6 },
  [tokenKind.punctuation]: { one: 0.95, run: 0.65, each: 0.3, low: 0.7, high: 1.7 },
  [tokenKind.accented]: { one: 0.5, low: 0.2, high: 2 },
  [tokenKind.han]: { one: 1, low: 0.6, high: 1.6 },
  [tokenKind.hangul]: { one: 0.9, low: 0.5, high: 2.3 },
  [tokenKind.cyrillic]: { one: 0.42, low: 0.5, high: 1.9 },
  [tokenKind.arabic]: { one: 0.5, low: 0.45, high: 2.2 },
  [tokenKind.indic]: { one: 0.8, low: 0.35, high: 3 },
  [tokenKind.emoji]: { one: 2.2, low: 0.45, high: 1.9 },
  [tokenKind.symbol]: { one: 1, low: 0.6, high: 3 },
  [tokenKind.message]: { one: 4, low: 0.5, high: 2 },
  [tokenKind.tool]: { one: 12, low: 0.3, high: 3 },
  [tokenKind.serviceTool]: { one: 400, low: 0.2, high: 4 },
  [tokenKind.tools]: { one: 300, low: 0, high: 2.7 },
};

/** Returns the likely tokens of a run of `length` characters of a kind. */
export function costOfRun(kind: number, length: number): number {
  const { one, run = 0, each = 0, free = 0 } = kinds[kind as TokenKind];
  return length === 1 ? one : run + each * Math.max(0, length - free);
}

/** Returns the likely tokens of one character or prompt part of a kind. */
export function costOf(kind: number): number {
  return kinds[kind as TokenKind].one;
}

/** Adds the tokens `more` to `sum`, kind by kind. */
export function addTokens(sum: Float64Array, more: Float64Array): void {
  for (let kind = 1; kind < tokenKinds; kind++) {
    sum[kind] = (sum[kind] as number) + (more[kind] as number);
  }
}

/** Returns the unrounded token range for likely tokens of each kind. */
export function toTokenRange(likelyByKind: Float64Array): { low: number; likely: number; high: number } {
  let low = 0;
  let likely = 0;
  let high = 0;
  for (let kind = 1; kind < tokenKinds; kind++) {
    const tokens = likelyByKind[kind] as number;
    const factors = kinds[kind as TokenKind];
    low += tokens * factors.low;
    likely += tokens;
    high += tokens * factors.high;
  }
  return { low, likely, high };
}

/** Rounds a range to whole tokens. */
export function roundTokens({ low, likely, high }: TokenRange): TokenRange {
  return { low: Math.floor(low), likely: Math.round(likely), high: Math.ceil(high) };
}
