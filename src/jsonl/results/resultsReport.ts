import type { ResultStatus } from '../../shared/results/resultStatus';
import type { ModelUsage } from './resultUsage';

/** Number of ids and the first 100 of them. */
export interface NamedIds {
  readonly count: number;
  readonly first: readonly string[];
}

/** Report of verifying and joining a results file. Every count is a number of requests. */
export interface ResultsReport {
  readonly rawBytes: number;
  /** Number of results in the joined file by the service's `type`. Each id counts once. See `statusCounts` for counts by status. */
  readonly counts: Readonly<Record<'succeeded' | 'errored' | 'canceled' | 'expired' | 'other', number>>;
  /** Subsets of `counts.succeeded`. */
  readonly cutShort: number;
  readonly refused: number;
  /** Missing in records of older versions. */
  readonly empty?: number;
  /** Token usage of each model. Missing in records of older versions. */
  readonly usage?: readonly ModelUsage[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens not included in `inputTokens`: read from a cache, and written to a cache. Missing in records of older versions. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Ids of the input without an answer. */
  readonly missing: NamedIds;
  /** Ids that were answered but are not in the input. */
  readonly unexpected: NamedIds;
  /** Ids that were answered more than once. The first answer is used. */
  readonly duplicate: NamedIds;
  /** Lines that are not results (cut, not JSON, not UTF-8, no id): their number and the first 100 line numbers, 0-based. */
  readonly damaged: { readonly count: number; readonly firstLines: readonly number[] };
  /** False if the batch's own counts differ from `counts`. True if the batch has no counts. */
  readonly countsMatch: boolean;
  /** True if nothing is missing, unexpected, duplicate or damaged and the counts match the counts of the batch. */
  readonly complete: boolean;
}

/** Result of one request, for the editor. Offsets are in bytes of the joined results file. */
export interface ResultEntry {
  /** Line of the joined results file, 0-based. */
  readonly row: number;
  readonly customId: string;
  /** Source line at submission, 0-based. -1 if the source has no such request or its lines are unknown. */
  readonly line: number;
  readonly status: ResultStatus;
  readonly stopReason: string | undefined;
  /** Innermost error type of a failed request. */
  readonly errorType: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly offset: number;
  /** Length of the joined line in bytes, without its LF. */
  readonly length: number;
}

/** Counts each result once, by its status. `missing` is the number of requests without a result. */
export function statusCounts({ counts, cutShort, refused, empty = 0, missing }: CountedReport): Record<ResultStatus | 'missing', number> {
  const { succeeded, errored, canceled, expired, other } = counts;
  return {
    ...{ succeeded: succeeded - cutShort - refused - empty, cut_short: cutShort, refused, empty, failed: errored },
    ...{ expired, canceled, other, missing: missing.count },
  };
}

export type CountedReport = Pick<ResultsReport, 'counts' | 'cutShort' | 'refused' | 'empty' | 'missing'>;

/** Returns the number of requests that did not succeed, including requests without a result. */
export function reviewCount(report: CountedReport): number {
  const { succeeded, ...others } = statusCounts(report);
  return Object.values(others).reduce((sum, count) => sum + count, 0);
}
