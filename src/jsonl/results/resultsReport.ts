import type { ResultStatus } from '../../shared/results/resultStatus';
import type { ModelUsage } from './resultUsage';

/** Number of something, and the first 100 of it by name. */
export interface NamedIds {
  readonly count: number;
  readonly first: readonly string[];
}

/** What verifying and joining a results file found. Every count is of requests. */
export interface ResultsReport {
  /** Bytes of the raw results file. */
  readonly rawBytes: number;
  /** Number of results in the joined file by the service's `type`, one for every id. Read them through `statusCounts`. */
  readonly counts: Readonly<Record<'succeeded' | 'errored' | 'canceled' | 'expired' | 'other', number>>;
  /** Parts of `counts.succeeded`. */
  readonly cutShort: number;
  readonly refused: number;
  /** Absent in records of older versions. */
  readonly empty?: number;
  /** Token usage of each model. Absent in records of older versions. */
  readonly usage?: readonly ModelUsage[];
  /** Sum of the answers' tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that are not among `inputTokens`: read from a cache, and written to one. Absent in records of older versions. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Ids of the input without an answer. */
  readonly missing: NamedIds;
  /** Ids answered that the input does not have. */
  readonly unexpected: NamedIds;
  /** Ids answered more than once; the first answer is the one kept. */
  readonly duplicate: NamedIds;
  /** Lines that are no result (cut, not JSON, not UTF-8, no id): their number and the first 100 line numbers, from 0. */
  readonly damaged: { readonly count: number; readonly firstLines: readonly number[] };
  /** False when the batch's own counts are other than `counts`; true also when there are none to compare with. */
  readonly countsMatch: boolean;
  /** True when nothing above is missing, unexpected, duplicate or damaged and the counts are those of the batch. */
  readonly complete: boolean;
}

/** One request's result as the editor shows it. Offsets are bytes in the joined results file. */
export interface ResultEntry {
  /** Line of the joined results file, from 0. */
  readonly row: number;
  readonly customId: string;
  /** Source line, from 0, at the time of submission; -1 when the source has no such request or its lines are not known. */
  readonly line: number;
  readonly status: ResultStatus;
  readonly stopReason: string | undefined;
  /** The innermost error type of an errored request. */
  readonly errorType: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly offset: number;
  /** Bytes of the joined line without its LF. */
  readonly length: number;
}

/** Number of results of each status, as every surface shows them. `missing`: requests without a result. */
export type StatusCounts = Readonly<Record<ResultStatus | 'missing', number>>;

/** Counts each result once, by its status. */
export function statusCounts({ counts, cutShort, refused, empty = 0, missing }: CountedReport): StatusCounts {
  const { succeeded, errored, canceled, expired, other } = counts;
  return {
    ...{ succeeded: succeeded - cutShort - refused - empty, cut_short: cutShort, refused, empty, failed: errored },
    ...{ expired, canceled, other, missing: missing.count },
  };
}

export type CountedReport = Pick<ResultsReport, 'counts' | 'cutShort' | 'refused' | 'empty' | 'missing'>;

/** Returns the number of requests without a good result: all that did not succeed. */
export function reviewCount(report: CountedReport): number {
  const { succeeded, ...others } = statusCounts(report);
  return Object.values(others).reduce((sum, count) => sum + count, 0);
}
