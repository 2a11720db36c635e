import type { Row, TokenBuckets } from '../rows/rows';
import type { SessionView } from '../sessionView';
import { addTokens, laterTokens, type Money, noTokens } from './tokens';

/** Tokens used, and what they cost where it was told, up to an event. */
export interface TokenPoint {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
  readonly tokens: TokenBuckets;
  readonly cost?: Money;
}

export interface TokensOverTime {
  /** One for each event that tells tokens, in the order of the log. No bucket ever shrinks. */
  readonly points: readonly TokenPoint[];
  /** The cap on costs; only where costs are told too, since tokens cannot be compared with it. */
  readonly budget?: Money;
}

/**
 * Tokens as they grew: each request to the model adds its own, and a sum that the service tells counts where it is greater,
 * as it knows of other threads.
 */
export function toTokensOverTime(rows: readonly Row[], budget?: SessionView['budget']): TokensOverTime {
  let tokens: TokenBuckets = noTokens;
  let cost: Money | undefined;
  const told = rows.flatMap(toTold).sort((a, b) => a.seq - b.seq);
  const points = told.map(({ isSum, tokens: more, cost: toldCost, ...place }): TokenPoint => {
    tokens = isSum ? laterTokens(tokens, more) : addTokens(tokens, more);
    cost = toldCost ?? cost;
    return { ...place, tokens, ...(cost === undefined ? {} : { cost }) };
  });
  const isComparable = cost !== undefined && budget !== undefined && 'cents' in budget;
  return { points, ...(isComparable ? { budget } : {}) };
}

interface Told {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
  readonly tokens: TokenBuckets;
  /** Whether the tokens are those of the whole session so far. */
  readonly isSum: boolean;
  readonly cost?: Money | undefined;
}

function toTold(row: Row): readonly Told[] {
  if (row.kind === 'model' && row.tokens !== undefined) {
    return [{ key: row.key, seq: row.endSeq ?? row.seq, at: row.endAt ?? row.at, tokens: row.tokens, isSum: false }];
  }
  if (row.kind === 'usage' && (row.tokens !== undefined || row.cost !== undefined)) {
    return [{ key: row.key, seq: row.seq, at: row.at, tokens: row.tokens ?? noTokens, isSum: true, cost: row.cost }];
  }
  return [];
}
