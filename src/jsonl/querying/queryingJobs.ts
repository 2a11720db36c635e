import type { ResultStatus } from '../../shared/results/resultStatus';
import type { JoinedResults } from '../results/joinedResults';
import type { BesideFiles, FieldColumnName, JsonPath, ValueColumn, ValueColumnName } from './valueColumns';

export interface FieldsSurvey {
  /** Number of answers or requests that were read. */
  readonly read: number;
  /** Number of these that have each field. */
  readonly fields: readonly { readonly name: JsonPath | FieldColumnName; readonly count: number }[];
}

/** What rows can be put in order by. */
export type ResultSort = 'line' | 'id' | 'status' | 'stop_reason' | 'input_tokens' | 'output_tokens' | ValueColumnName;

/** Where the values of columns come from that an index does not hold. */
export interface KnownColumns extends BesideFiles {
  /** Columns that were already read. Others that are needed, and those that were cut, are read again. */
  readonly columns?: readonly ValueColumn[];
}

export interface QuerySource extends JoinedResults, KnownColumns {
  /** In the query language; empty for all rows. */
  readonly query: string;
  readonly sort?: { readonly by: ResultSort; readonly isDescending: boolean };
}

export interface QueryAnswer {
  /** Rows of the joined file, from 0, in order. In shared memory. */
  readonly rows: Uint32Array;
  /** Sums over `rows`. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface SurveySource extends JoinedResults, KnownColumns {
  readonly query?: string;
}

export interface Histogram {
  /** Lower bound of each bucket, ascending; the last bucket ends at `max`. */
  readonly from: readonly number[];
  readonly counts: readonly number[];
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Results without a good answer that have one cause. */
export interface ErrorCluster {
  /** Stable for the same cause. */
  readonly key: string;
  readonly kind: Exclude<ResultStatus, 'succeeded'>;
  readonly errorType: string | undefined;
  /** The message with what differs from request to request as `…`. */
  readonly message: string;
  readonly count: number;
  /** The first rows of the joined file, at most 100. */
  readonly rows: readonly number[];
}

export interface ResultsSurvey {
  readonly rows: number;
  readonly statuses: readonly (readonly [status: ResultStatus, count: number])[];
  readonly stopReasons: readonly (readonly [reason: string, count: number])[];
  /** Of requests that were not sent: in how many each rule found something. */
  readonly problems: readonly (readonly [rule: string, count: number])[];
  /** Of succeeded answers. */
  readonly outputTokens: Histogram | undefined;
  readonly inputTokens: Histogram | undefined;
  /** Largest first. */
  readonly clusters: readonly ErrorCluster[];
  /** Of the models that answered, the most used first. */
  readonly models: readonly SurveyedModel[];
}

/** What became of the requests that one model answered. */
export interface SurveyedModel {
  readonly model: string;
  readonly rows: number;
  readonly succeeded: number;
  readonly outputTokens: number;
  /** Answers that are as expected; undefined where nothing is known of that. */
  readonly passed: number | undefined;
}
