import path from 'node:path';
import type { MessageBatch } from '../../client/resources/messageBatches';
import { digestOfLines } from '../../jsonl/files/lineMap';
import type { ResultsReport } from '../../jsonl/results/resultsReport';
import type { SubmissionStep } from './submissionSteps';

/**
 * State of a submission. `sending` is saved before the request is sent. It becomes `failed` if the window is known to have ended on this
 * machine before the whole body was sent. If the window has ended otherwise, it becomes `unknown`. `unknown`: bytes were sent and no
 * response arrived, so the user has to decide. `abandoned`: the user marked the submission as not created.
 */
export type SubmissionState = 'sending' | 'created' | 'unknown' | 'failed' | 'abandoned';

/** One submit of one file, saved before its request is sent. */
export interface Submission {
  readonly id: string;
  readonly connection: string;
  /** Origin (scheme, host, port) that the request went to. */
  readonly origin: string;
  /** Request file, as a URI string. */
  readonly source: string;
  /** True if unsaved text of an editor or requests written for a retry were sent. The submission's folder has a copy. */
  readonly fromEditor?: boolean;
  readonly fileBytes: number;
  /** SHA-256 of the file's bytes. Empty if the record was damaged. */
  readonly sha256: string;
  readonly requestCount: number;
  readonly bodyBytes: number;
  /** Model name to number of requests, most used first, at most 100. Absent in records of older versions. */
  readonly models?: readonly (readonly [model: string, requests: number])[];
  /** Estimate before sending, by model as in `models`. The first part has the estimate of the whole run. */
  readonly estimate?: readonly ModelEstimate[];
  readonly state: SubmissionState;
  /** RFC 3339, this machine's clock. */
  readonly startedAt: string;
  /** Steps with their times, oldest first. Bounded, and written by the registry. Absent in records of older versions. */
  readonly steps?: readonly SubmissionStep[];
  /** Saved as true before the last byte of the body is sent. While this field is false, there is no batch. Absent in older records. */
  readonly handedOut?: boolean;
  /** True if the user canceled too late to rule out a batch. */
  readonly cancelWanted?: boolean;
  /** True if the user wants no more parts of the run to be sent. */
  readonly stopWanted?: boolean;
  /** Result of the search of the service's list for the batch of an `unknown` submission. */
  readonly search?: Search;
  readonly batchId?: string;
  readonly requestId?: string;
  /** Reason why the submission failed or its outcome is unknown, as shown to the user. */
  readonly problem?: string;
  /** Last known state of the batch. */
  readonly batch?: MessageBatch;
  /** True if the user deleted the batch, or it no longer exists on the service. */
  readonly deleted?: boolean;
  /** False from the end of the batch until the user has seen the end. Absent before the end, or if the batch was not polled. */
  readonly isEndSeen?: boolean;
  /** Present after its batch ended, until the end is reported and, with automatic fetching, the results are fetched. */
  readonly fetching?: FetchTries;
  readonly results?: FetchedResults;
  /**
   * Selection of the sent requests. Absent if all requests of the file were sent. `requestCount` and `bodyBytes` refer to the selection.
   */
  readonly selection?: Selection;
  readonly group?: GroupPart;
  /** The run whose requests this submission repeats or completes. */
  readonly follows?: Follows;
  /** Request files that were written from the results of the run, oldest first. Stored with its first submission. */
  readonly made?: readonly DerivedFile[];
  /** Results of all parts in one file. Stored with the first part. */
  readonly groupResults?: FetchedResults;
  /** The best result of each request over this run and the runs that follow it. Stored with the first submission of the oldest run. */
  readonly merged?: MergedResults;
  /** The results file next to the request file. Stored with the first submission of the oldest run. */
  readonly resultsFile?: ResultsFile;
}

/** Estimated tokens of the requests of one model. */
export interface ModelEstimate {
  readonly model: string;
  /** Bounds of the input tokens. */
  readonly inputLow: number;
  readonly inputHigh: number;
  /** Sum of `max_tokens`. */
  readonly maxOutput: number;
  /** Tokens up to the five-minute cache markers (see `ModelSurvey`). Absent in records of older versions. */
  readonly cached5m?: number;
  readonly cached1h?: number;
  /** Template of all requests. Absent in records of older versions. */
  readonly template?: number;
  /** Size of the prompts estimated from their text, used by later estimates. Absent in records of older versions. */
  readonly text?: number;
  /** Likely number of input tokens. Absent in records of older versions. */
  readonly input?: number;
  /** Predicted output. Absent if there were no past answers. */
  readonly output?: { readonly low: number; readonly likely: number; readonly high: number };
  readonly cacheMix?: CacheMix;
}

/** Shares of input tokens, from 0 to 1, that are read from a cache and that are written to a cache. */
export interface CacheMix {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

/** Returns whether submissions were sent to the same address. The connection's name counts only if an address is unknown. */
export function isSameService(one: Pick<Submission, 'connection' | 'origin'>, other: Pick<Submission, 'connection' | 'origin'>): boolean {
  return one.origin === '' || other.origin === '' ? one.connection === other.connection : one.origin === other.origin;
}

/** Returns whether a submission has a batch, or may have one. */
export function mayHaveBatch({ state }: Pick<Submission, 'state'>): boolean {
  return state !== 'failed' && state !== 'abandoned';
}

/** Returns whether the record of a submission was damaged. A damaged record does not prove which file was sent or where. */
export function isDamaged({ sha256, connection }: Pick<Submission, 'sha256' | 'connection'>): boolean {
  return sha256 === '' || connection === '';
}

/** Attempts to fetch results automatically. */
export interface FetchTries {
  readonly tries: number;
  /** Start of the latest attempt, or the time when the end of the batch was detected. RFC 3339, this machine's clock. */
  readonly at: string;
  /** True once the user was notified of the end. */
  readonly told?: boolean;
}

/** Latest search of the service's list for a batch. */
export interface Search {
  /** Number of searches. */
  readonly looks: number;
  /** RFC 3339, this machine's clock. */
  readonly lookedAt: string;
  /** Number of batches that were read. */
  readonly listed: number;
  /** Creation time of the oldest batch that was read, by the service's clock. */
  readonly backTo?: string;
  /** False if older batches could not be read. */
  readonly reachedBack: boolean;
  /** Batches that may come from the submission, newest first, at most 20, including batches with different IDs. */
  readonly candidates: readonly Candidate[];
  /** Origin of the connection's new service. Present if this change prevented the search. */
  readonly elsewhere?: string;
}

/** A batch that may come from the submission. */
export interface Candidate {
  readonly batchId: string;
  /** By the service's clock. */
  readonly createdAt?: string;
  readonly ended: boolean;
  /** True if the batch was not created at the time of the submission. Only a wrong clock explains such a batch. */
  readonly atAnotherTime?: boolean;
  /** Compares the IDs of the results with those that were sent. Absent until the batch ends. `unclear` if the IDs prove nothing. */
  readonly ids?: 'same' | 'different' | 'unclear';
}

/** Some requests of a file. */
export interface Selection {
  /**
   * `part`: a part of a file over the limits. `canary`: a trial. `rest`: the requests left by a trial. `changed`: requests never sent in
   * their current form.
   */
  readonly purpose: 'part' | 'canary' | 'rest' | 'changed';
  /** First and last line, 0-based. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** SHA-256 of the lines as decimal numbers, each followed by LF. Distinguishes two selections of one file. */
  readonly digest: string;
  /** Number of requests in the whole file. Absent in records of older versions. */
  readonly total?: number;
}

/** Returns the record of chosen lines. Lines are 0-based and ascending. */
export function toSelection({ purpose, lines }: { readonly purpose: Selection['purpose']; readonly lines: Uint32Array }): Selection {
  return { purpose, firstLine: lines[0] ?? 0, lastLine: lines.at(-1) ?? 0, digest: digestOfLines(lines) };
}

/** Position of a part in a run of several batches. */
export interface GroupPart {
  readonly id: string;
  /** 0-based. */
  readonly index: number;
  readonly count: number;
}

/** Reason why a run follows an earlier run. */
export type FollowPurpose = 'retry' | 'changed' | 'rest';

export interface Follows {
  /** ID of the first submission of the earlier run. */
  readonly runId: string;
  readonly purpose: FollowPurpose;
}

/** A request file made from results. A submission of this file, or of the same bytes, follows the run. */
export interface DerivedFile {
  /** URI string. */
  readonly source: string;
  readonly sha256: string;
  readonly purpose: FollowPurpose;
  readonly madeAt: string;
}

/** Fetched, verified and joined results. Paths are local. */
export interface FetchedResults {
  readonly joinedPath: string;
  /** Stamp of the file when it was written (see `stampOfFile`). Absent in records of older versions. */
  readonly stamp?: string;
  readonly fetchedAt: string;
  readonly report: ResultsReport;
}

/** A copy of results next to their request file, for the user. The extension does not depend on its content. */
export interface ResultsFile {
  readonly path: string;
  /** Stamp of the file when it was written (see `stampOfFile`). A file with another stamp was changed by the user and is never replaced. */
  readonly stamp: string;
  /** `fetchedAt` of the results that were copied. */
  readonly fetchedAt: string;
}

/** The best results of several runs in one file. */
interface MergedResults extends FetchedResults {
  /** IDs of the merged runs, oldest first. */
  readonly runIds: readonly string[];
}

/** Thrown if a conditional change no longer applies because another window changed the submission. */
export class SubmissionMovedOnError extends Error {
  override readonly name = 'SubmissionMovedOnError';
}

/** Pattern of a submission's folder name, which is the submission's ID. */
export const folderName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the folder of a submission. Throws if `id` is not a submission ID. */
export function folderOf(root: string, id: string): string {
  if (!folderName.test(id)) {
    throw new Error(`Invalid submission ID: ${id}`);
  }
  return path.join(root, id);
}

export interface UpdateOptions {
  readonly steps?: readonly SubmissionStep[];
  /** Checks the submission on disk. If it returns false, nothing is written and the update rejects with `SubmissionMovedOnError`. */
  readonly onlyIf?: (stored: Submission) => boolean;
}

const forgetAfter = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns whether a submission can be removed. This requires that no part of its run is being sent or has a batch or results. No other part
 * may be `unknown`.
 */
export function canForget(submission: Submission, all: readonly Submission[]): boolean {
  return partsBeside(submission, all).every(part => isLoose(part) && (part.id === submission.id || part.state !== 'unknown'));
}

function partsBeside(submission: Submission, all: readonly Submission[]): readonly Submission[] {
  const { id, group } = submission;
  return [submission, ...all.filter(other => group !== undefined && other.group?.id === group.id && other.id !== id)];
}

function isLoose({ state, batchId, results, groupResults, merged }: Submission): boolean {
  const hasNoBatch = batchId === undefined && (state === 'failed' || state === 'abandoned' || state === 'unknown');
  return hasNoBatch && results === undefined && groupResults === undefined && merged === undefined;
}

/** Returns whether the service may still work on a submission. */
export function isUnderWay({ state, batchId, deleted, batch, results }: Submission): boolean {
  const mayRun = batchId !== undefined && deleted !== true && results === undefined;
  return state === 'sending' || state === 'unknown' || (mayRun && batch?.processing_status !== 'ended');
}

/**
 * Returns whether a submission is removed automatically. This happens thirty days after all parts of its run failed or were marked as not
 * created. Parts are removed together, because the first part has the data of the whole run. `now` is in milliseconds since 1970.
 */
export function isOutdated(submission: Submission, all: readonly Submission[], now: number): boolean {
  const isOld = ({ steps, startedAt }: Submission) => now - Date.parse(steps?.at(-1)?.at ?? startedAt) > forgetAfter;
  return partsBeside(submission, all).every(part => isLoose(part) && part.state !== 'unknown' && part.made === undefined && isOld(part));
}
