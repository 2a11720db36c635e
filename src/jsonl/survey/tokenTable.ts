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
export type TokenKind = (typeof tokenKind)[keyof typeof tokenKind];

export const tokenKinds = 18;

/**
 * Cost of a kind of token. It applies to a run of letters, digits, white space or punctuation by its length, to one other character, or to
 * one part of a prompt.
 */
interface KindOfToken {
  readonly likely: (length: number) => number;
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
  [tokenKind.word]: { likely: length => 1.12 + 0.27 * Math.max(0, length - 6), low: 0.78, high: 1.4 },
  [tokenKind.capitals]: { likely: length => (length === 1 ? 1 : 0.6 + 0.35 * length), low: 0.65, high: 1.6 },
  [tokenKind.digits]: { likely: length => 0.65 + 0.35 * length, low: 0.65, high: 2.6 },
  [tokenKind.space]: { likely: length => 0.9 + 0.02 * length, low: 0.3, high: 1.6 },
  [tokenKind.punctuation]: { likely: length => 0.65 + 0.3 * length, low: 0.7, high: 1.7 },
  [tokenKind.accented]: { likely: () => 0.5, low: 0.2, high: 2 },
  [tokenKind.han]: { likely: () => 1, low: 0.6, high: 1.6 },
  [tokenKind.hangul]: { likely: () => 0.9, low: 0.5, high: 2.3 },
  [tokenKind.cyrillic]: { likely: () => 0.42, low: 0.5, high: 1.9 },
  [tokenKind.arabic]: { likely: () => 0.5, low: 0.45, high: 2.2 },
  [tokenKind.indic]: { likely: () => 0.8, low: 0.35, high: 3 },
  [tokenKind.emoji]: { likely: () => 2.2, low: 0.45, high: 1.9 },
  [tokenKind.symbol]: { likely: () => 1, low: 0.6, high: 3 },
  [tokenKind.message]: { likely: () => 4, low: 0.5, high: 2 },
  [tokenKind.tool]: { likely: () => 12, low: 0.3, high: 3 },
  [tokenKind.serviceTool]: { likely: () => 400, low: 0.2, high: 4 },
  [tokenKind.tools]: { likely: () => 300, low: 0, high: 2.7 },
};

/** Number of run lengths with their own column in the costs. Longer runs cost `beyond` more for each character. */
export const runLengths = 64;

/**
 * Returns the likely tokens of runs. `costs[kind * runLengths + length]` is for lengths below `runLengths`, and `beyond[kind]` for each
 * further character.
 */
export function createRunCosts(): { readonly costs: Float64Array; readonly beyond: Float64Array } {
  const costs = new Float64Array(tokenKinds * runLengths);
  const beyond = new Float64Array(tokenKinds);
  for (const [kind, { likely }] of entries()) {
    for (let length = 1; length < runLengths; length++) {
      costs[kind * runLengths + length] = likely(length);
    }
    beyond[kind] = likely(runLengths) - likely(runLengths - 1);
  }
  // A single space belongs to the following word.
  costs[tokenKind.space * runLengths + 1] = 0;
  return { costs, beyond };
}

/** Returns the likely tokens of one character or prompt part of a kind. */
export function costOf(kind: TokenKind): number {
  return kinds[kind].likely(1);
}

const lowFactors = new Float64Array(tokenKinds);
const highFactors = new Float64Array(tokenKinds);
for (const [kind, { low, high }] of entries()) {
  lowFactors[kind] = low;
  highFactors[kind] = high;
}

function entries(): readonly (readonly [number, KindOfToken])[] {
  return Object.entries(kinds).map(([kind, costs]) => [Number(kind), costs]);
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
    low += tokens * (lowFactors[kind] as number);
    likely += tokens;
    high += tokens * (highFactors[kind] as number);
  }
  return { low, likely, high };
}

/** Rounds a range to whole tokens. */
export function roundTokens({ low, likely, high }: TokenRange): TokenRange {
  return { low: Math.floor(low), likely: Math.round(likely), high: Math.ceil(high) };
}
