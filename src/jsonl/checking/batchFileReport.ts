import type { Problem, Severity } from '../../contract/problem';
import type { RuleOptions } from '../rules/ruleOptions';

/** Bounds that a connection puts on one batch. The contract's are 100,000 requests; the byte cap varies by deployment. */
export interface BatchLimits {
  readonly maxRequests: number;
  /** Bytes of the create body. */
  readonly maxBytes: number;
}

/** What a pass over a whole request file found. */
export interface BatchFileReport {
  /** Bytes of the file. */
  readonly fileBytes: number;
  /** Lower-case hex SHA-256 of the file's bytes. */
  readonly sha256: string;
  readonly lineCount: number;
  /** Lines that hold a request, whole (`custom_id` and `params`) or bare message params. */
  readonly requestCount: number;
  /** Of those, bare message params, for which `line-<n>` ids are made (n counts from 1). */
  readonly bareCount: number;
  /** Exact bytes of the `{"requests":[...]}` body. */
  readonly bodyBytes: number;
  /** Model name to number of requests, most used first. */
  readonly models: readonly (readonly [model: string, requests: number])[];
  /** The first problems, worst first and then by line; see `problemCounts` for all. */
  readonly problems: readonly Problem[];
  readonly problemCounts: Readonly<Record<Severity, number>>;
  /** Every rule that found something, most findings first; all are counted, not only those in `problems`. */
  readonly ruleCounts: readonly RuleCount[];
  /** Lines that hold something, but no request: nothing of them can be sent. */
  readonly invalidCount: number;
  /** Number of requests that the service most likely refuses, judging each line by itself. */
  readonly refusedCount: number;
  /** Requests whose results could not be joined with them: without an id of their own, whatever the rules are set to. */
  readonly unjoinableCount: number;
}

/** How often a rule found something. Lines count from 0. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
  readonly firstLine: number;
}

/** What a request file is judged by. */
export interface CheckTerms {
  readonly limits: BatchLimits;
  readonly rules: RuleOptions;
  /** Problems that the report lists, the worst of all; without a number the first ten of each rule, 1,000 at most. All are counted. */
  readonly mostProblems?: number;
}
