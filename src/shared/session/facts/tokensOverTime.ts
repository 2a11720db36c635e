import type { Row, TokenBuckets } from '../rows/rows';
import { addTokens, laterTokens, noTokens } from './tokens';

/** Tokens used up to an event. */
export interface TokenPoint {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
  readonly tokens: TokenBuckets;
}

export interface TokensOverTime {
  /** One for each event that reports tokens, in log order. No bucket ever shrinks. */
  readonly points: readonly TokenPoint[];
}

/**
 * Returns the tokens of a session over time. Each model request adds its own. A sum that the service reports replaces a smaller one,
 * because it includes other threads.
 */
export function toTokensOverTime(rows: readonly Row[]): TokensOverTime {
  let tokens: TokenBuckets = noTokens;
  const usage = rows.flatMap(toReport).sort((a, b) => a.seq - b.seq);
  const points = usage.map(({ isSum, tokens: more, ...report }): TokenPoint => {
    tokens = isSum ? laterTokens(tokens, more) : addTokens(tokens, more);
    return { ...report, tokens };
  });
  return { points };
}

interface TokenReport {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
  readonly tokens: TokenBuckets;
  readonly isSum: boolean;
}

function toReport(row: Row): readonly TokenReport[] {
  if (row.kind === 'model' && row.tokens !== undefined) {
    return [{ key: row.key, seq: row.endSeq ?? row.seq, at: row.endAt ?? row.at, tokens: row.tokens, isSum: false }];
  }
  if (row.kind === 'usage' && row.tokens !== undefined) {
    return [{ key: row.key, seq: row.seq, at: row.at, tokens: row.tokens, isSum: true }];
  }
  return [];
}
