import type { TokenCounts } from './resultUsage';

/** Prices per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  /** Price of cache writes with a lifetime of five minutes, and of one hour. */
  readonly write5m: number;
  readonly write1h: number;
}

const million = 1_000_000;

/** Returns the bounds of the cost of tokens. The bounds differ if the lifetime of some cache writes is unknown. */
export function costOfTokens(tokens: TokenCounts, prices: TokenPrices): { readonly low: number; readonly high: number } {
  const { input, output, read, write5m, write1h } = prices;
  const exact =
    tokens.inputTokens * input +
    tokens.outputTokens * output +
    tokens.cacheReadTokens * read +
    tokens.cacheWrite5mTokens * write5m +
    tokens.cacheWrite1hTokens * write1h;
  const open = tokens.cacheWriteTokens - tokens.cacheWrite5mTokens - tokens.cacheWrite1hTokens;
  return { low: (exact + open * Math.min(write5m, write1h)) / million, high: (exact + open * Math.max(write5m, write1h)) / million };
}
