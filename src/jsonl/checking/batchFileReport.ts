import type { Problem, Severity } from '../../contract/problem';
import type { RuleOptions } from '../rules/ruleOptions';

/** Limits of a connection for one batch. The contract allows 100,000 requests. The byte limit varies by deployment. */
export interface BatchLimits {
  readonly maxRequests: number;
  /** Maximum size of the create body, in bytes. */
  readonly maxBytes: number;
}

export interface BatchFileReport {
  readonly fileBytes: number;
  readonly sha256: string;
  readonly lineCount: number;
  /** Number of lines that hold a request, either whole (`custom_id` and `params`) or bare message params. */
  readonly requestCount: number;
  /** Number of requests that are bare message params. These requests get `line-<n>` ids (n is 1-based). */
  readonly bareCount: number;
  /** Exact size of the `{"requests":[...]}` body, in bytes. */
  readonly bodyBytes: number;
  /** Model names with their numbers of requests, most used first. */
  readonly models: readonly (readonly [model: string, requests: number])[];
  /** Listed problems, ordered from most to least severe, then by line. `problemCounts` also counts problems that are not listed. */
  readonly problems: readonly Problem[];
  readonly problemCounts: Readonly<Record<Severity, number>>;
  /** Rules that found a problem, most findings first. Counts all findings, not only those in `problems`. */
  readonly ruleCounts: readonly RuleCount[];
  /** Number of lines with content that is not a request and can't be sent. */
  readonly invalidCount: number;
  /** Number of requests that the service would probably refuse. Problems across lines, such as duplicate ids, don't count. */
  readonly refusedCount: number;
  /** Number of requests whose results could not be matched, because they have no unique id. Independent of the rule settings. */
  readonly unjoinableCount: number;
}

/** Number of findings of a rule. Lines are 0-based. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
  readonly firstLine: number;
}

export interface CheckTerms {
  readonly limits: BatchLimits;
  readonly rules: RuleOptions;
  /** Maximum number of listed problems, most severe first. By default 10 of each rule and 1,000 in total. */
  readonly mostProblems?: number;
}
