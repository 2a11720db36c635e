import path from 'node:path';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { ResultsReport } from '../../jsonl/results/resultsReport';
import type { SubmissionStep } from './submissionSteps';

/**
 * State of a submission. `sending` is written before the request leaves. After its window has ended it becomes `failed` if that window is
 * known to have ended on this machine before the whole body had left, and `unknown` otherwise. `unknown`: bytes left and no response came
 * back; the user decides.
 */
export type SubmissionState = 'sending' | 'created' | 'unknown' | 'failed' | 'abandoned';

/** One submit of one file, written down on this machine before its request leaves. */
export interface Submission {
  readonly id: string;
  readonly connection: string;
  /** Scheme, host and port the request went to. */
  readonly origin: string;
  /** The file it was made from, as a URI string. */
  readonly source: string;
  /** True when what was sent stood in the editor and not on disk: a copy of it is kept in the submission's folder. */
  readonly fromEditor?: boolean;
  readonly fileBytes: number;
  /** SHA-256 of the file's bytes. Empty if the record was damaged. */
  readonly sha256: string;
  readonly requestCount: number;
  readonly bodyBytes: number;
  /** Model name to number of requests, most used first, at most 100; absent in records of older versions. */
  readonly models?: readonly (readonly [model: string, requests: number])[];
  /** What was estimated before it was sent, by model as in `models`; of a group held by its first part, for all parts. */
  readonly estimate?: readonly ModelEstimate[];
  readonly state: SubmissionState;
  /** RFC 3339, this machine's clock. */
  readonly startedAt: string;
  /** What happened to it and when, oldest first; bounded. Written by the registry. Absent in records of older versions. */
  readonly steps?: readonly SubmissionStep[];
  /**
   * Whether the last byte of the body may have left: false from the beginning, and true on disk before that byte is handed
   * out, so that no batch can have come of it while it is false. Absent in records of older versions.
   */
  readonly handedOut?: boolean;
  /** The user wanted to stop it when it was too late to be sure. */
  readonly cancelWanted?: boolean;
  /** The user wants no more of its group to be sent. */
  readonly stopWanted?: boolean;
  /** What the service's list said when it was looked through for the batch of an `unknown` submission. */
  readonly search?: Search;
  readonly batchId?: string;
  readonly requestId?: string;
  /** Why it failed or is unknown, in the words shown to the user. */
  readonly problem?: string;
  /** The batch as last seen. */
  readonly batch?: MessageBatch;
  /** Set when the user deleted the batch or it is gone from the service. */
  readonly deleted?: boolean;
  /** False from when its batch ended until the user looked; absent where the end was not watched. */
  readonly isEndSeen?: boolean;
  /** Set from when its batch ended until the end is reported and, with automatic fetching, the results are fetched. */
  readonly fetching?: FetchTries;
  readonly results?: FetchedResults;
  /** When not every request of the file was sent: which. `requestCount` and `bodyBytes` are of these. */
  readonly selection?: Selection;
  /** The group that this is a part of. */
  readonly group?: GroupPart;
  /** The run whose requests these are again, or the rest of. */
  readonly follows?: Follows;
  /** Request files that were written from the results of the run that begins with this submission, the newest last. */
  readonly made?: readonly MadeFile[];
  /** Of a group, held by its first part: the results of all parts in one file. */
  readonly groupResults?: FetchedResults;
  /** Held by the first submission of the oldest run: the best result of every request over this run and those that follow it. */
  readonly merged?: MergedResults;
  /** Held by the first submission of the oldest run: the file beside the request file that has the results of these runs. */
  readonly resultsFile?: ResultsFile;
}

/** Tokens that the requests of one model were estimated to have. */
export interface ModelEstimate {
  readonly model: string;
  /** Tokens of the prompts, between two bounds. */
  readonly inputLow: number;
  readonly inputHigh: number;
  /** Sum of `max_tokens`. */
  readonly maxOutput: number;
  /** See `ModelSurvey`. Absent in records of older versions. */
  readonly cached5m?: number;
  readonly cached1h?: number;
}

/**
 * Returns whether two submissions went to the same service: to one address, whatever the connection was called. The connection's name only
 * counts if an address is unknown.
 */
export function isSameService(one: Pick<Submission, 'connection' | 'origin'>, other: Pick<Submission, 'connection' | 'origin'>): boolean {
  return one.origin === '' || other.origin === '' ? one.connection === other.connection : one.origin === other.origin;
}

/** Returns whether a submission has a batch, or may have one. */
export function mayHaveBatch({ state }: Pick<Submission, 'state'>): boolean {
  return state !== 'failed' && state !== 'abandoned';
}

/** Returns whether the record of a submission was damaged, so that nothing in it proves which file was sent or where. */
export function isDamaged({ sha256, connection }: Pick<Submission, 'sha256' | 'connection'>): boolean {
  return sha256 === '' || connection === '';
}

/** How results that nobody asked for were tried to be fetched. */
export interface FetchTries {
  readonly tries: number;
  /** When the latest began, or the batch was seen to have ended: RFC 3339, this machine's clock. */
  readonly at: string;
  /** The user was told of the end. */
  readonly told?: boolean;
}

/** The latest look through the service's list for a batch. */
export interface Search {
  /** How often it was looked through. */
  readonly looks: number;
  /** RFC 3339, this machine's clock. */
  readonly lookedAt: string;
  /** Batches that the list had as far as it was read. */
  readonly listed: number;
  /** Creation time of the oldest batch that was read, by the service's clock. */
  readonly backTo?: string;
  /** False when older batches could not be read. */
  readonly reachedBack: boolean;
  /** Batches that can be the one, newest first, at most 20, those of which the ids told otherwise included. */
  readonly candidates: readonly Candidate[];
  /** The list was not looked through, because the connection now points here: scheme, host and port. */
  readonly elsewhere?: string;
}

/** A batch that can be the one of a submission. */
export interface Candidate {
  readonly batchId: string;
  /** By the service's clock. */
  readonly createdAt?: string;
  readonly ended: boolean;
  /** It was made at another time than the submission, which only a wrong clock can explain. */
  readonly atAnotherTime?: boolean;
  /** What the ids in its results say; absent before it has ended, `unclear` when they cannot be had or only some are ours. */
  readonly ids?: 'same' | 'different' | 'unclear';
  /** Doubt about it although its ids are the same. */
  readonly doubt?: Doubt;
}

/**
 * Reasons to doubt a batch with the same ids. `time`: it was created before the body had left, after the response was lost, or at an
 * unknown time. `made_ids`: any file without ids gets these ids. `shared_ids`: another submission has them too. `models`: other models
 * answered.
 */
export type Doubt = 'time' | 'made_ids' | 'shared_ids' | 'models';

/** Some requests of a file. */
export interface Selection {
  /** `part`: of a file over the limits; `canary`: a sample; `rest`: what a canary left; `changed`: what has no kept answer. */
  readonly purpose: 'part' | 'canary' | 'rest' | 'changed';
  /** First and last line, from 0. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** SHA-256 of the lines as decimal numbers with LF behind each: tells two selections of one file apart. */
  readonly digest: string;
  /** Requests of the whole file; absent in records of older versions. */
  readonly total?: number;
}

/** A place in a group: several batches made from one file that show and act as one. */
export interface GroupPart {
  readonly id: string;
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** Why a run follows another one. */
export type FollowPurpose = 'retry' | 'changed' | 'rest';

export interface Follows {
  /** Id of the first submission of the run before. */
  readonly runId: string;
  readonly purpose: FollowPurpose;
}

/** A request file that was made from results. A submission from it, or of the same bytes, follows the run. */
export interface MadeFile {
  /** URI string. */
  readonly source: string;
  readonly sha256: string;
  readonly purpose: FollowPurpose;
  readonly madeAt: string;
}

/** Results that were fetched, verified and joined. Paths are of this machine. */
export interface FetchedResults {
  readonly joinedPath: string;
  /** See `stampOfFile`; of the file when it was written. Absent in records of older versions. */
  readonly stamp?: string;
  readonly fetchedAt: string;
  readonly report: ResultsReport;
}

/** A copy of results beside their request file, for the user. Nothing of ours depends on its content. */
export interface ResultsFile {
  readonly path: string;
  /** See `stampOfFile`; of the file when it was written. A file with another stamp was changed by the user and is never replaced. */
  readonly stamp: string;
  /** `fetchedAt` of the results that were copied. */
  readonly fetchedAt: string;
}

/** Results of several generations in one file. */
export interface MergedResults extends FetchedResults {
  /** Ids of the runs that are in it, oldest first. */
  readonly runIds: readonly string[];
}

/** What the folder of a submission is called: its id. */
export const folderName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder of one submission under the folder of all. Throws for what is no id. */
export function folderOf(root: string, id: string): string {
  if (!folderName.test(id)) {
    throw new Error(`Not the id of a submission: ${id}`);
  }
  return path.join(root, id);
}
