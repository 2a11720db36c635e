import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../../../jsonl/files/arrival';
import { SourceChangedError } from '../../../jsonl/files/fileState';
import type { ReplaceableTarget } from '../../../jsonl/files/publishing';
import type { WholeFile } from '../../../jsonl/files/wholeFile';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedFile, JoinSource } from '../../../jsonl/results/joinedResults';
import { orAborted } from '../../../shared/orAborted';
import { type DownloadOptions, download, incompletePathOf } from './fetchDownload';
import { assertFetchable, toForeign } from './fetchMessages';

export interface FetchProgress {
  readonly phase: 'fetching' | 'joining';
  readonly doneBytes: number;
  /** `undefined` if the service did not announce the size. */
  readonly totalBytes: number | undefined;
}

export interface FetchOptions extends Omit<DownloadOptions, 'pause' | 'onReceived' | 'onArriving'> {
  readonly joinedPath: string;
  readonly indexPath: string;
  /** `lines.tsv` of the submission. Without it, results keep the order of the service. */
  readonly linesPath?: string;
  /** Minimum number of entries in `lines.tsv`. */
  readonly requestCount?: number;
  /** The submitted file, if each joined line should include its request. */
  readonly includeRequestsFrom?: string;
  /** SHA-256 of the submitted file when it was sent. */
  readonly sourceSha256?: string;
  /** Stamp of the file at `rawPath` that may be replaced. If absent, no file is replaced. */
  readonly rawTarget?: ReplaceableTarget;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly pause?: DownloadOptions['pause'];
}

export interface FetchedReport extends JoinedFile {
  /** Reason why the joined file has no requests although they were wanted. */
  readonly requestsLeftOut: string | undefined;
}

/** Time for an aborted join to remove its files, in milliseconds. */
const tidyMs = 250;

/**
 * Fetches the results of an ended batch to `rawPath`, verifies them and joins them to `joinedPath`. Neither file appears before it is
 * complete. A failure leaves earlier files unchanged. If an existing file may not be replaced, the new file gets the next free number. If
 * the submitted file has changed since, the results are joined without their requests. Throws `ResultsFetchError`, `ServiceError`,
 * `LineMapError` or `FileWriteError`. An error of a job keeps only its class name, so compare `name`. After an abort, throws the signal's
 * reason within 300 ms.
 */
export async function fetchResults(options: FetchOptions): Promise<FetchedReport & { readonly rawPath: string }> {
  const { batch, rawPath, signal, onProgress } = options;
  assertFetchable(batch);
  let received = false;
  // Results are joined while they arrive. The joined file is used only if all bytes arrived.
  let joining: Promise<FetchedReport> | undefined;
  const onJoining = (progress: FetchProgress) => {
    if (received) {
      onProgress?.(progress);
    }
  };
  let part: WholeFile;
  try {
    part = await download({
      ...options,
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
    // The file is synced to the disk and joined at the same time.
    const [finished, joined] = await Promise.allSettled([part.finish(signal), joining ?? joinFetched(part.partPath, options)]);
    const foreign = joined.status === 'rejected' && joined.reason instanceof Error ? foreignWords.get(joined.reason.name) : undefined;
    if (foreign !== undefined && joined.status === 'rejected') {
      throw toForeign(batch, foreign, joined.reason);
    }
    if (finished.status === 'rejected') {
      throw finished.reason;
    }
    if (joined.status === 'rejected' && signal?.aborted === true) {
      throw joined.reason;
    }
    // The raw results are published even if the join failed.
    const publishedPath = await part.publishOver(options.rawTarget);
    await rm(incompletePathOf(rawPath), { force: true });
    if (joined.status === 'rejected') {
      throw joined.reason;
    }
    return { ...joined.value, rawPath: publishedPath };
  } finally {
    await part.discard();
  }
}

/** Verifies and joins results that are on this machine or still arriving, such as the complete lines of cut results. */
export async function joinFetched(
  rawPath: string,
  options: Omit<FetchOptions, 'client' | 'rawPath' | 'rawTarget'>,
  arrival?: Arrival,
): Promise<FetchedReport> {
  const { batch, joinedPath, indexPath, linesPath, requestCount, includeRequestsFrom, sourceSha256 } = options;
  const source: JoinSource = {
    ...{ rawPath, joinedPath, indexPath, linesPath, requestCount },
    arrival: arrival?.shared,
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

async function join(source: JoinSource, { jobs, signal, onProgress }: Pick<FetchOptions, 'jobs' | 'signal' | 'onProgress'>) {
  const joined = jobs.run('joinResults', source, { signal, onProgress: progress => onProgress?.({ phase: 'joining', ...progress }) });
  try {
    return await orAborted(joined, signal);
  } catch (error) {
    if (signal?.aborted === true) {
      await Promise.race([joined.catch(() => undefined), sleep(tidyMs, undefined, { ref: false })]);
    }
    throw error;
  }
}

/** Descriptions of a response that has no results, by the name of the join's error. */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ['NotResultsError', 'no results file'],
  ['OtherRequestsError', 'a file with the results of other requests'],
]);
