import type { BatchLimits } from '../checking/batchFileReport';
import type { FileState } from '../files/fileState';
import type { OtherLines } from '../files/requestWalk';

export interface SplitQuestion {
  readonly path: string;
  readonly limits: BatchLimits;
  /** Number of parts with equally many requests. By default each part is filled up to the limits. */
  readonly parts?: number;
}

export interface SplitPart {
  readonly requests: number;
  /** Size in bytes of the body of a batch made from this part. */
  readonly bodyBytes: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface SplitPlan extends OtherLines {
  readonly file: FileState;
  readonly parts: readonly SplitPart[];
  readonly requests: number;
  /** Number of bare message params. Each gets the id `line-<n>`, with a suffix if it is taken. `n` is the 1-based line in the source. */
  readonly bare: number;
  /**
   * Requests that exceed the limits even in a batch of their own, each with the body size of that batch. If there are any, `parts` is
   * empty.
   */
  readonly tooLarge: { readonly count: number; readonly first: readonly (readonly [line: number, bodyBytes: number])[] };
  /** Minimum number of equal parts that fit the limits. Only set if the requested number of parts doesn't fit. */
  readonly leastParts: number | undefined;
}

export interface SplitSource {
  readonly path: string;
  readonly plan: SplitPlan;
  readonly outPaths: readonly string[];
}

export interface MergeSurvey {
  readonly files: readonly (OtherLines & { readonly requests: number; readonly bare: number })[];
  /** Number of requests with the id of an earlier one, in the same or an earlier file. */
  readonly repeatedIds: number;
  /** Number of requests with both the id and the params of an earlier one. */
  readonly repeats: number;
  readonly examples: readonly RepeatedId[];
}

export interface RepeatedId {
  readonly id: string;
  /** File and line of the first use, followed by those of the repeat. All are 0-based. */
  readonly firstFile: number;
  readonly firstLine: number;
  readonly file: number;
  readonly line: number;
}

export interface MergeSource {
  readonly paths: readonly string[];
  readonly outPath: string;
  readonly ids: MergeIds;
}

/** Treatment of ids: keep them, prefix them by file, or drop requests that repeat both the id and the params of an earlier request. */
export type MergeIds =
  | { readonly kind: 'keep' | 'dropRepeats' }
  /** One distinct prefix per file. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly string[] };

export interface MergeReport {
  readonly written: number;
  readonly dropped: number;
  /** Number of ids shortened to make room for the prefix. */
  readonly shortened: number;
}

export interface WrittenLines extends OtherLines {
  readonly written: number;
}

export interface ShuffleSource {
  readonly path: string;
  readonly outPath: string;
  readonly seed: string;
}

export interface SampleSource {
  readonly path: string;
  readonly outPath: string;
  readonly seed: string;
  /** Number of requests, or a share between 0 and 1. */
  readonly size: { readonly count: number } | { readonly share: number };
}

export interface DrawSource {
  readonly path: string;
  readonly seed: string;
  readonly count: number;
}

export interface SampledLines {
  /** Line numbers, 0-based and ascending. In shared memory. */
  readonly lines: Uint32Array;
  readonly total: number;
  readonly models: number;
  readonly sha256: string;
}

/** Definition of a repeat: same params with any id, same params and id, or same id. */
export type RepeatKind = 'params' | 'request' | 'id';

export interface DuplicatesReport extends OtherLines {
  readonly requests: number;
  readonly repeats: Readonly<Record<RepeatKind, number>>;
  /** First groups of requests with equal params. */
  readonly sameParams: readonly DuplicateGroup[];
  readonly sameParamsGroups: number;
  /** First groups of requests with the same id but different params. */
  readonly sameIds: readonly DuplicateGroup[];
  readonly sameIdsGroups: number;
}

export interface DuplicateGroup {
  readonly first: DuplicateLine;
  /** Lines that repeat the first one, at most 20. */
  readonly later: readonly DuplicateLine[];
  readonly laterCount: number;
}

export interface DuplicateLine {
  readonly line: number;
  /** `undefined` for bare message params. */
  readonly id: string | undefined;
}

export interface UniqueSource {
  readonly path: string;
  readonly outPath: string;
  readonly by: RepeatKind;
}

export interface UniqueReport extends WrittenLines {
  readonly dropped: number;
}
