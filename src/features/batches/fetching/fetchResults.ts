import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Arrival } from '../../../jsonl/files/arrival';
import { SourceChangedError } from '../../../jsonl/files/fileState';
import { orAborted } from '../../../jsonl/files/orAborted';
import type { Standing } from '../../../jsonl/files/publishing';
import type { FileWriting, WholeFile } from '../../../jsonl/files/wholeFile';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import type { JoinedFile, JoinSource } from '../../../jsonl/results/joinedResults';
import { download, incompletePathOf } from './fetchDownload';
import { assertFetchable, toForeign } from './fetchErrors';

export interface FetchProgress {
  readonly phase: 'fetching' | 'joining';
  readonly doneBytes: number;
  /** Undefined when the service did not announce the size. */
  readonly totalBytes: number | undefined;
}

/** Where results go and what they are joined with. Paths are of this machine. */
export interface FetchTarget {
  readonly joinedPath: string;
  readonly indexPath: string;
  /** `lines.tsv` of the submission; without it results keep the service's order. */
  readonly linesPath?: string;
  /** How many entries it has at least. */
  readonly requestCount?: number;
  /** The submitted file, when each joined line is to carry its request. */
  readonly includeRequestsFrom?: string;
  /** SHA-256 of that file when it was submitted. */
  readonly sourceSha256?: string;
}

export interface FetchOptions extends FetchTarget {
  readonly client: Pick<ServiceClient, 'batches'>;
  readonly batch: MessageBatch;
  /** Where the results stand as the service sent them. */
  readonly rawPath: string;
  /** What may be replaced there; without it whatever stands there is. */
  readonly rawStanding?: Standing;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly signal?: AbortSignal;
  /** Larger results are not fetched: `ResultsFetchError` of kind `large`. */
  readonly maxBytes?: number | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Waits between attempts and writing to the disk; replaced in tests. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly writing?: FileWriting;
}

export interface FetchedReport extends JoinedFile {
  /** Why the requests are not in the joined file though that was asked for. */
  readonly requestsLeftOut: string | undefined;
  /** What became of the list of lines, when it was damaged or gone. */
  readonly lines?: LinesFate;
}

/** The same, and where the results stand as the service sent them. */
export interface FetchedFiles extends FetchedReport {
  readonly rawPath: string;
}

/** How long an aborted join may take to remove what it wrote. */
const tidyMs = 250;

/**
 * Fetches the results of an ended batch to `rawPath`, verifies them and joins them to `joinedPath`. Both files appear whole or not
 * at all; what stood there before is untouched on every failure, and so is what may not be replaced: they then stand at the next free number. Cut results are read again from the start, twice at most. When
 * the submitted file has changed since, the results are joined without their requests.
 *
 * Throws `ResultsFetchError`, `ServiceError`, `FileWriteError` or an error of that name out of a job (see `isDiskFull`),
 * `LineMapError`, and the signal's reason, then within 300 ms.
 */
export async function fetchResults(options: FetchOptions): Promise<FetchedFiles> {
  const { batch, rawPath, signal, onProgress } = options;
  assertFetchable(batch);
  let received = false;
  // Results are read while they arrive; what an attempt's reading found counts only when its bytes came whole.
  let joining: Promise<FetchedReport> | undefined;
  const onJoining = (progress: FetchProgress) => {
    if (received) {
      onProgress?.(progress);
    }
  };
  let part: WholeFile;
  try {
    part = await download({
      client: options.client,
      batch,
      rawPath,
      signal,
      maxBytes: options.maxBytes,
      writing: options.writing,
      pause: options.pause ?? ((ms, aborted) => sleep(ms, undefined, { signal: aborted })),
      onReceived: (doneBytes, totalBytes) => onProgress?.({ phase: 'fetching', doneBytes, totalBytes }),
      onArriving: (partPath, arrival) => {
        joining = joinFetched(partPath, { ...options, onProgress: onJoining }, arrival);
        joining.catch(() => {});
      },
    });
  } catch (error) {
    await joining?.catch(() => {});
    throw error;
  }
  received = true;
  try {
    // The bytes go to the disk while they are joined; neither needs the other.
    const [finished, joined] = await Promise.allSettled([part.finish(signal), joining ?? joinFetched(part.partPath, options)]);
    const foreign = joined.status === 'rejected' ? foreignWords.get(nameOf(joined.reason) ?? '') : undefined;
    if (joined.status === 'rejected' && foreign !== undefined) {
      throw toForeign(batch, foreign, joined.reason);
    }
    if (finished.status === 'rejected') {
      throw finished.reason;
    }
    if (joined.status === 'rejected' && signal?.aborted === true) {
      throw joined.reason;
    }
    // Whatever became of the join, these are the results as the service gave them.
    const publishedPath = await part.publishOver(options.rawStanding);
    await rm(incompletePathOf(rawPath), { force: true });
    if (joined.status === 'rejected') {
      throw joined.reason;
    }
    return { ...joined.value, rawPath: publishedPath };
  } finally {
    await part.discard();
  }
}

/** Verifies and joins results that are on this machine already, such as the readable lines of cut ones, or on their way to it. */
export async function joinFetched(
  rawPath: string,
  options: Omit<FetchOptions, 'client' | 'rawPath' | 'rawStanding'>,
  arrival?: Arrival,
): Promise<FetchedReport> {
  const { batch, joinedPath, indexPath, linesPath, requestCount, includeRequestsFrom, sourceSha256 } = options;
  const source: JoinSource = {
    rawPath,
    arrival: arrival?.shared,
    joinedPath,
    indexPath,
    linesPath,
    requestCount,
    expectedCounts: batch.request_counts,
  };
  if (includeRequestsFrom === undefined) {
    return { ...(await join(source, options)), requestsLeftOut: undefined };
  }
  try {
    return { ...(await join({ ...source, requestsPath: includeRequestsFrom, sourceSha256 }, options)), requestsLeftOut: undefined };
  } catch (error) {
    if (!(error instanceof SourceChangedError)) {
      throw error;
    }
    return { ...(await join(source, options)), requestsLeftOut: error.message };
  }
}

async function join(
  source: JoinSource,
  { jobs, signal, onProgress }: Pick<FetchOptions, 'jobs' | 'signal' | 'onProgress'>,
): Promise<JoinedFile> {
  const joined = jobs.run('joinResults', source, { signal, onProgress: progress => onProgress?.({ phase: 'joining', ...progress }) });
  try {
    return await orAborted(joined, signal);
  } catch (error) {
    if (signal?.aborted === true) {
      const settled = joined.then(
        () => undefined,
        () => undefined,
      );
      await Promise.race([settled, sleep(tidyMs, undefined, { ref: false })]);
    }
    throw error;
  }
}

/** Descriptions of a response that is not the results, by the name of the error of the join. */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ['NotResultsError', 'no results file'],
  ['OtherRequestsError', 'a file with the results of other requests'],
]);

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
