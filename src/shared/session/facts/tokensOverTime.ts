import type { ModelRow, NoteRow, Row, TokenBuckets } from '../rows/rows';
import { addTokens, laterTokens, noTokens } from './tokens';

/** Position of an event that reports usage. */
export interface UsageEvent {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
}

/** Tokens used up to an event. */
export interface TokenPoint extends UsageEvent {
  readonly tokens: TokenBuckets;
}

export interface TokensOverTime {
  /** One point for each event that reports tokens, in log order. No bucket ever shrinks. */
  readonly points: readonly TokenPoint[];
}

/**
 * Returns the tokens of a session over time. Each model request adds its own. A sum that the service reports replaces a smaller one,
 * because it includes other threads.
 */
export function toTokensOverTime(rows: readonly Row[]): TokensOverTime {
  let tokens: TokenBuckets = noTokens;
  const points = toUsageEvents(rows).flatMap(({ row, ...event }): readonly TokenPoint[] => {
    if (row.tokens === undefined) {
      return [];
    }
    tokens = row.kind === 'usage' ? laterTokens(tokens, row.tokens) : addTokens(tokens, row.tokens);
    return [{ ...event, tokens }];
  });
  return { points };
}

interface ReportedUsage extends UsageEvent {
  readonly row: ModelRow | NoteRow;
}

/** Returns the events that report usage, in log order: the ends of model requests, and reports of the session's usage. */
export function toUsageEvents(rows: readonly Row[]): readonly ReportedUsage[] {
  return rows
    .flatMap((row): readonly ReportedUsage[] => {
      const { key, seq, at } = row;
      if (row.kind === 'model') {
        return [{ row, key, seq: row.end?.seq ?? seq, at: row.end?.at ?? at }];
      }
      return row.kind === 'usage' ? [{ row, key, seq, at }] : [];
    })
    .sort((a, b) => a.seq - b.seq);
}
