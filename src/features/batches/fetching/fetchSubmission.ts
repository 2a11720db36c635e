import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { exists } from '../../../common/asking/newFile';
import type { Log } from '../../../common/log';
import { readSetting } from '../../../common/settings';
import type { BatchReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Connections, reach, type Use } from '../../connection';
import { type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { sourcePathOf } from '../incremental/sourcePath';
import { withStamp } from './fateOfResults';
import { type FetchedReport, type FetchOptions, type FetchProgress, fetchResults, joinFetched } from './fetchResults';
import { isLineMapError, linesPathOf, mendLines } from './mendLines';
import { describeResultsDetails } from './resultsMessages';
import { placeForResults, quietPlaceForResults, type ResultsPlace } from './resultsPlaces';

export interface FetchSubmissionDependencies {
  readonly log: Pick<Log, 'info'>;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly jobs: Pick<JsonlJobs, 'joinResults' | 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'folder' | 'update' | 'all'>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

type Place = Pick<ResultsPlace, 'joinedPath'> & Partial<ResultsPlace>;

export interface FetchSubmissionOptions {
  readonly signal: AbortSignal;
  /** Never asks: where a file stands in the way the joined results take a free name, and where none can be, they stay in the submission's folder. */
  readonly quiet?: boolean;
  /** Where the joined results go, when that is decided already; without `standing` whatever stands there is replaced. */
  readonly place?: Place;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Whether the user asked for it, as is when it is not given. */
  readonly use?: Extract<Use, 'look' | 'read'>;
}

/**
 * Fetches the results of one of our submissions, joins them, and writes down where they are. Shows nothing; without `quiet` it may ask
 * where the results go. Throws what `fetchResults` throws, a sentence when the batch cannot be reached, and `CancelledError`.
 */
export async function fetchSubmission(
  deps: FetchSubmissionDependencies,
  submission: Submission,
  options: FetchSubmissionOptions,
): Promise<FetchedReport> {
  const { connection, batchId } = submission;
  if (batchId === undefined) {
    throw new Error(vscode.l10n.t('This submission has no batch, so it has no results.'));
  }
  const { client, batch } = await retrieveBatch(deps, { connection, batchId }, options.use);
  return await fetchRetrieved(deps, submission, { client, batch }, options);
}

/** The same with the batch as it was just seen. */
export async function fetchRetrieved(
  deps: FetchSubmissionDependencies,
  submission: Submission,
  { client, batch }: RetrievedBatch,
  { signal, quiet = false, place: decided, onProgress }: FetchSubmissionOptions,
): Promise<FetchedReport> {
  const place = decided ?? (await (quiet ? quietPlaceForResults(deps.registry, submission) : placeForResults(deps.registry, submission)));
  const join = await joinOptions(deps, submission, place, signal);
  const fetched = await fetchResults({ ...join, client, batch, signal, onProgress }).catch(async (error: unknown) => {
    if (!isLineMapError(error)) {
      throw error;
    }
    return await joinMended(deps, submission, { ...join, batch, signal, onProgress });
  });
  return await remember(deps, submission, batch, { lines: join.lines, ...fetched });
}

/**
 * Joins once more what was fetched before, as the service sent it, without asking the service. Answers undefined when that is not there
 * any more, or is cut.
 */
export async function joinAgain(
  deps: FetchSubmissionDependencies,
  submission: Submission,
  { place, signal, onProgress }: Pick<FetchSubmissionOptions, 'signal' | 'onProgress'> & { readonly place: Place },
): Promise<FetchedReport | undefined> {
  const { batch, results } = submission;
  const join = await joinOptions(deps, submission, place, signal);
  const size = await stat(join.rawPath).then(
    found => found.size,
    () => undefined,
  );
  if (batch === undefined || results === undefined || size !== results.report.rawBytes) {
    return undefined;
  }
  const fetched = await joinMended(deps, submission, { ...join, batch, signal, onProgress });
  deps.log.info(`What was kept of the results of batch ${batch.id} was damaged; they were joined again from what the service had sent.`);
  return await remember(deps, submission, batch, { lines: join.lines, ...fetched });
}

/** Joins what is left of results that arrived cut, and writes down where they are. */
export async function useIncomplete(
  deps: FetchSubmissionDependencies,
  submission: Submission,
  incompletePath: string,
  batch: MessageBatch,
  { signal, onProgress }: Pick<FetchSubmissionOptions, 'signal' | 'onProgress'>,
): Promise<FetchedReport> {
  const place = await placeForResults(deps.registry, submission);
  const join = await joinOptions(deps, submission, place, signal);
  const fetched = await joinMended(deps, submission, { ...join, rawPath: incompletePath, batch, signal, onProgress });
  return await remember(deps, submission, batch, { lines: join.lines, ...fetched });
}

export interface RetrievedBatch {
  readonly client: ServiceClient;
  readonly batch: MessageBatch;
}

/** A batch as its service knows it. Throws a sentence when its connection is gone, and what the service answered. */
export async function retrieveBatch(
  { connections, onBatchChanged }: Pick<FetchSubmissionDependencies, 'connections' | 'onBatchChanged'>,
  { connection: name, batchId }: BatchReference,
  use: Use = 'read',
): Promise<RetrievedBatch> {
  const { client } = await reach(connections, name, use);
  const { data: batch } = await client.batches.retrieve(batchId);
  onBatchChanged?.(name, batch);
  return { client, batch };
}

/** Joins what is on this machine: when the list of lines is damaged by one that is made again, or without one. */
async function joinMended(
  deps: FetchSubmissionDependencies,
  submission: Submission,
  options: Omit<FetchOptions, 'client'>,
): Promise<FetchedReport> {
  try {
    return await joinFetched(options.rawPath, options);
  } catch (error) {
    if (!isLineMapError(error)) {
      throw error;
    }
  }
  const lines = await mendLines({ ...deps, toPath: sourcePathOf }, submission, options.signal);
  if (lines === 'restored') {
    return { ...(await joinFetched(options.rawPath, options)), lines };
  }
  const { linesPath: _, ...without } = options;
  return { ...(await joinFetched(options.rawPath, without)), lines: 'lost' };
}

async function joinOptions(deps: FetchSubmissionDependencies, submission: Submission, place: Place, signal: AbortSignal) {
  const { registry, jobs } = deps;
  const folder = registry.folder(submission.id);
  const requests = submission.fromEditor ? path.join(folder, submissionFiles.editorCopy) : vscode.Uri.parse(submission.source).fsPath;
  const includes = readSetting('managedAgents.results.includeRequests') && (await exists(requests));
  const hasLines = (await linesPathOf(deps, submission)) !== undefined;
  const lines = hasLines ? undefined : await mendLines({ ...deps, toPath: sourcePathOf }, submission, signal);
  return {
    jobs,
    ...place,
    rawPath: path.join(folder, submissionFiles.rawResults),
    indexPath: path.join(folder, submissionFiles.resultsIndex),
    linesPath: await linesPathOf(deps, submission),
    requestCount: submission.requestCount,
    includeRequestsFrom: includes ? requests : undefined,
    sourceSha256: submission.sha256,
    ...(lines !== undefined && { lines }),
  };
}

async function remember(
  { registry, log }: FetchSubmissionDependencies,
  submission: Submission,
  batch: MessageBatch,
  fetched: FetchedReport,
): Promise<FetchedReport> {
  const { joinedPath, report } = fetched;
  const details = describeResultsDetails(report, { translate: vscode.l10n.t, locale: vscode.env.language });
  log.info(`Results of batch ${batch.id} are in ${joinedPath}${details.map(line => `\n${line}`).join('')}`);
  await registry.update(submission.id, {
    batch,
    results: await withStamp({ joinedPath, fetchedAt: new Date().toISOString(), report }),
  });
  return fetched;
}
