import type { BatchLimits } from '../checking/batchFileReport';
import type { FileState } from '../files/fileState';

/** Lines that were found: how many, and the first of them. */
export interface FoundLines {
  readonly count: number;
  readonly first: readonly number[];
}

/** What stands in a request file beside requests. */
export interface OtherLines {
  /** Lines without anything; they are not written again. */
  readonly blank: number;
  /** Lines that are no requests; they are carried along as they stand, except into a sample. */
  readonly broken: FoundLines;
}

export interface SplitQuestion {
  readonly path: string;
  /** No part is beyond these. */
  readonly limits: BatchLimits;
  /** So many parts with equally many requests; otherwise each part is filled up to the limits. */
  readonly parts?: number;
}

export interface SplitPart {
  readonly requests: number;
  /** Bytes of the body of a batch that is made from this part. */
  readonly bodyBytes: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface SplitPlan extends OtherLines {
  readonly file: FileState;
  readonly parts: readonly SplitPart[];
  readonly requests: number;
  /** Bare message params, which get ids of their own: `line-<n>` by their line in the source. */
  readonly bare: number;
  /** Requests that alone are beyond the limits, with the bytes of the body of a batch of each; then there are no parts. */
  readonly tooLarge: { readonly count: number; readonly first: readonly (readonly [line: number, bodyBytes: number])[] };
  /** The least number of equal parts that keep the limits, when those asked for do not. */
  readonly leastParts: number | undefined;
}

export interface SplitSource {
  readonly path: string;
  readonly plan: SplitPlan;
  /** Where the parts go, in order. */
  readonly outPaths: readonly string[];
}

export interface MergeSurvey {
  readonly files: readonly (OtherLines & { readonly requests: number; readonly bare: number })[];
  /** Requests whose id an earlier one has, in the same file or one before it. */
  readonly repeatedIds: number;
  /** Of those, requests with the same params as an earlier one of that id. */
  readonly repeats: number;
  /** The first requests whose id is used before. */
  readonly examples: readonly RepeatedId[];
}

export interface RepeatedId {
  readonly id: string;
  /** Numbers of files, from 0, and lines. */
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

/** What happens to ids: they stay, get a begin that names their file, or requests that repeat id and params of an earlier one go. */
export type MergeIds =
  | { readonly kind: 'keep' | 'dropRepeats' }
  /** One begin per file, different from each other. */
  | { readonly kind: 'prefix'; readonly prefixes: readonly string[] };

export interface MergeReport {
  readonly written: number;
  readonly dropped: number;
  /** Ids that had to be shortened to fit behind their begin. */
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

/** How a sample is drawn: from all alike, or from the requests of each model, or of each tenth by length, in their shares. */
export type SampleBy = 'all' | 'model' | 'length';

export interface SampleSource {
  readonly path: string;
  readonly outPath: string;
  readonly seed: string;
  /** A number of requests, or a share of them between 0 and 1. */
  readonly size: { readonly count: number } | { readonly share: number };
  readonly by: SampleBy;
}

export interface SampleReport extends WrittenLines {
  readonly total: number;
  /** Requests written per group, with the model's name or the least and most bytes of a line. */
  readonly groups: readonly { readonly name: string; readonly total: number; readonly written: number }[];
}

export interface DrawSource {
  readonly path: string;
  readonly seed: string;
  readonly count: number;
}

export interface DrawnLines {
  /** Lines, from 0, ascending. In shared memory. */
  readonly lines: Uint32Array;
  /** Requests of the file. */
  readonly total: number;
  readonly models: number;
  readonly sha256: string;
}

/** What makes a request a repeat: the same params whatever the id, the same params and id, or the same id. */
export type RepeatKind = 'params' | 'request' | 'id';

export interface DuplicatesReport extends OtherLines {
  readonly requests: number;
  /** Requests that repeat an earlier one, by what makes them so. */
  readonly repeats: Readonly<Record<RepeatKind, number>>;
  /** Requests whose params repeat an earlier one's, grouped by those; the first groups. */
  readonly sameParams: readonly DuplicateGroup[];
  /** How many such groups there are. */
  readonly sameParamsGroups: number;
  /** Requests with the id of an earlier one, though with other params; grouped by that id; the first groups. */
  readonly sameIds: readonly DuplicateGroup[];
  readonly sameIdsGroups: number;
}

export interface DuplicateGroup {
  readonly first: DuplicateLine;
  /** The first of the later ones. */
  readonly later: readonly DuplicateLine[];
  readonly laterCount: number;
}

export interface DuplicateLine {
  readonly line: number;
  /** Undefined for bare message params. */
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
