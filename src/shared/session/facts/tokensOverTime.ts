import type { ModelRow, NoteRow, Row, TokenBuckets } from '../rows/rows';
import { addTokens, laterTokens, noTokens } from './tokens';

export interface UsageEvent {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
}

export interface TokenPoint extends UsageEvent {
  readonly tokens: TokenBuckets;
}

/**
 * Returns the tokens of a session over time, with a point for each event that reports tokens. Each model request adds its tokens. A sum
 * reported by the service replaces a smaller sum, because it includes other threads. No bucket ever shrinks.
 */
export function toTokensOverTime(rows: readonly Row[]): readonly TokenPoint[] {
  let tokens: TokenBuckets = noTokens;
  return toUsageEvents(rows).flatMap(({ row, ...event }): readonly TokenPoint[] => {
    if (row.tokens === undefined) {
      return [];
    }
    tokens = row.kind === 'usage' ? laterTokens(tokens, row.tokens) : addTokens(tokens, row.tokens);
    return [{ ...event, tokens }];
  });
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
