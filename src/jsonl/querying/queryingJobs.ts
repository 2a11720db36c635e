import type { ResultStatus } from '../../shared/results/resultStatus';
import type { ErrorCluster } from '../answers/errorClusters';
import type { JoinedResults } from '../results/joinedResults';
import type { BesideFiles, FieldColumnName, JsonPath, ValueColumn, ValueColumnName } from './valueColumns';

export interface FieldsSurvey {
  /** Number of answers or requests read. */
  readonly read: number;
  /** Number of answers or requests with each field. */
  readonly fields: readonly { readonly name: JsonPath | FieldColumnName; readonly count: number }[];
}

/** Column to sort rows by. */
export type ResultSort = 'line' | 'id' | 'status' | 'stop_reason' | 'input_tokens' | 'output_tokens' | ValueColumnName;

/** Columns that are not in an index, and the files to read more of them from. */
export interface KnownColumns extends BesideFiles {
  /** Columns that have already been read. Needed columns that are missing or cut are read again. */
  readonly columns?: readonly ValueColumn[];
}

export interface QuerySource extends JoinedResults, KnownColumns {
  /** Query text; empty for all rows. */
  readonly query: string;
  readonly sort?: { readonly by: ResultSort; readonly isDescending: boolean };
}

export interface QueryResult {
  /** Matching rows of the joined file, 0-based and sorted. In shared memory. */
  readonly rows: Uint32Array;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface SurveySource extends JoinedResults, KnownColumns {
  readonly query?: string;
}

export interface Histogram {
  /** Lower bound of each bucket, ascending. The last bucket ends at `max`. */
  readonly from: readonly number[];
  readonly counts: readonly number[];
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface ResultsSurvey {
  readonly rows: number;
  readonly statuses: readonly (readonly [status: ResultStatus, count: number])[];
  readonly stopReasons: readonly (readonly [reason: string, count: number])[];
  /** Number of requests with problems of each rule. Only for requests that have not been sent. */
  readonly problems: readonly (readonly [rule: string, count: number])[];
  /** Histograms over the rows with an answer. */
  readonly outputTokens: Histogram | undefined;
  readonly inputTokens: Histogram | undefined;
  /** Causes of failures, largest first. */
  readonly clusters: readonly ErrorCluster[];
  /** Models that answered, most used first. */
  readonly models: readonly SurveyedModel[];
}

/** Counts for the requests that one model answered. */
export interface SurveyedModel {
  readonly model: string;
  readonly rows: number;
  readonly succeeded: number;
  readonly outputTokens: number;
  /** Number of answers that meet their expectations, or `undefined` without expectations. */
  readonly passed: number | undefined;
}
