import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { exists } from '../../../common/asking/newFile';
import type { Log } from '../../../common/log';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import type { BatchReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { LinesFate } from '../../../jsonl/merging/mergingJobs';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { type Connections, reach, type Use } from '../../connection';
import { type FetchedResults, sentPathOf, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { incompletePathOf } from './fetchDownload';
import { type FetchedReport, type FetchOptions, type FetchProgress, fetchResults, joinFetched } from './fetchResults';
import { isLineMapError, linesPathOf, fixLines } from './fixLines';
import { describeResultsDetails } from './resultsMessages';

export interface FetchPartDependencies {
  readonly log: Pick<Log, 'info'>;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'folder' | 'update'>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

export interface FetchPartOptions {
  readonly signal: AbortSignal;
  /** `look` for a fetch that the user didn't ask for. Default: `read`. */
  readonly use?: Extract<Use, 'look' | 'read'> | undefined;
  /** Maximum size of results that are fetched, in bytes. */
  readonly maxBytes?: number | undefined;
  /** Joins the part of cut results that is on this machine, instead of calling the service. */
  readonly usesIncomplete?: boolean | undefined;
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** Results of one part on this machine. */
export interface FetchedPart {
  readonly submission: Submission;
  /** True if the results were on this machine and damaged. */
  readonly isFixed: boolean;
  /** Fate of its list of lines if that was damaged or missing. */
  readonly lines: LinesFate | undefined;
  /** Reason why the joined file has no requests although they were wanted. */
  readonly requestsLeftOut: string | undefined;
}

type JoinOptions = Awaited<ReturnType<typeof toJoinOptions>>;

/**
 * Makes sure that the joined results of a batch are in the ledger's folder: uses those that are there, joins the raw results again, or
 * fetches them. Returns `undefined` if the batch has no results yet. Throws what `fetchResults` throws, and an error for the user if the
 * batch can't be reached.
 */
export async function fetchPart(
  deps: FetchPartDependencies,
  submission: Submission,
  options: FetchPartOptions,
): Promise<FetchedPart | undefined> {
  const { results, connection, batchId, state, deleted } = submission;
  const { signal, use, maxBytes, onProgress } = options;
  const join = await toJoinOptions(deps, submission, options);
  // Results that were incomplete the last time may be complete now, but only the user's own request asks for them again.
  const isToImprove = results?.report.complete === false && use !== 'look' && deleted !== true;
  if (results !== undefined && !isToImprove) {
    if (await isCurrent(results, join)) {
      return { submission, isFixed: false, lines: join.lines, requestsLeftOut: undefined };
    }
    const again = await joinAgain(deps, submission, results, join).catch((error: unknown) => {
      signal.throwIfAborted();
      deps.log.info(`The results of batch ${batchId} that are here are damaged: ${describeError(error)}`);
      return undefined;
    });
    if (again !== undefined) {
      return { ...again, isFixed: true };
    }
  }
  if (state !== 'created' || batchId === undefined || deleted) {
    return undefined;
  }
  const { client, batch } = await retrieveBatch(deps, { connection, batchId }, use);
  if (batch.processing_status !== 'ended') {
    return undefined;
  }
  const incompletePath = incompletePathOf(join.rawPath);
  if (options.usesIncomplete === true && (await exists(incompletePath))) {
    const joined = await joinFixed(deps, submission, { ...join, rawPath: incompletePath, batch });
    return await remember(deps, submission, batch, { lines: join.lines, ...joined });
  }
  const fetched = await fetchResults({ ...join, client, batch, maxBytes, onProgress }).catch(async (error: unknown) => {
    if (!isLineMapError(error)) {
      throw error;
    }
    return await joinFixed(deps, submission, { ...join, batch });
  });
  return {
    ...(await remember(deps, submission, batch, { lines: join.lines, ...fetched })),
    isFixed: results !== undefined && !isToImprove,
  };
}

/** Returns whether joined results are complete, with their requests if those are wanted. */
async function isCurrent({ joinedPath }: FetchedResults, { indexPath, includeRequestsFrom }: JoinOptions): Promise<boolean> {
  try {
    const index = await ResultsIndex.open(indexPath, joinedPath);
    const first = index.entryOfRow(0);
    const hasRequests = first && /^\{"custom_id":"(?:[^"\\]|\\.)*","line":\d+,"request":/.test(await index.read(first));
    return hasRequests === undefined || first?.line === -1 || hasRequests === (includeRequestsFrom !== undefined);
  } catch {
    return false;
  }
}

/** Joins the raw results again. Returns `undefined` if they are missing or cut off. */
async function joinAgain(
  deps: FetchPartDependencies,
  submission: Submission,
  { report }: FetchedResults,
  join: JoinOptions,
): Promise<FetchedPart | undefined> {
  const { batch } = submission;
  const size = await stat(join.rawPath).then(
    found => found.size,
    () => undefined,
  );
  if (batch === undefined || size !== report.rawBytes) {
    return undefined;
  }
  const fetched = await joinFixed(deps, submission, { ...join, batch });
  deps.log.info(`The results of batch ${batch.id} were joined again from what the service had sent.`);
  return await remember(deps, submission, batch, { lines: join.lines, ...fetched });
}

/** Reads a batch from its service. Throws a sentence if its connection is gone, and what the service answered. */
export async function retrieveBatch(
  { connections, onBatchChanged }: Pick<FetchPartDependencies, 'connections' | 'onBatchChanged'>,
  { connection: name, batchId }: BatchReference,
  use: Use = 'read',
): Promise<{ readonly client: ServiceClient; readonly batch: MessageBatch }> {
  const { client } = await reach(connections, name, use);
  const { data: batch } = await client.batches.retrieve(batchId);
  onBatchChanged?.(name, batch);
  return { client, batch };
}

/** Joins results that are on this machine. Restores a damaged list of lines; without one, the results keep the order of the service. */
async function joinFixed(
  deps: FetchPartDependencies,
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
  const lines = await fixLines(deps, submission, options.signal);
  if (lines === 'restored') {
    return { ...(await joinFetched(options.rawPath, options)), lines };
  }
  const { linesPath: _, ...without } = options;
  return { ...(await joinFetched(options.rawPath, without)), lines: 'lost' };
}

async function toJoinOptions(deps: FetchPartDependencies, submission: Submission, { signal, onProgress }: FetchPartOptions) {
  const { registry, jobs } = deps;
  const folder = registry.folder(submission.id);
  const requests = sentPathOf(registry, submission);
  const includes = readSetting('managedAgents.results.includeRequests') && requests !== undefined && (await exists(requests));
  const hasLines = (await linesPathOf(deps, submission)) !== undefined;
  const lines = hasLines ? undefined : await fixLines(deps, submission, signal);
  return {
    ...{ jobs, signal, onProgress },
    joinedPath: path.join(folder, submissionFiles.joinedResults),
    rawPath: path.join(folder, submissionFiles.rawResults),
    indexPath: path.join(folder, submissionFiles.resultsIndex),
    linesPath: await linesPathOf(deps, submission),
    requestCount: submission.requestCount,
    includeRequestsFrom: includes ? requests : undefined,
    sourceSha256: submission.sha256,
    ...(lines !== undefined && { lines }),
  };
}

/** Records where the results of a batch are. */
async function remember(
  { registry, log }: FetchPartDependencies,
  { id }: Submission,
  batch: MessageBatch,
  { joinedPath, report, lines, requestsLeftOut }: FetchedReport,
): Promise<FetchedPart> {
  const details = describeResultsDetails(report, { translate: vscode.l10n.t, locale: vscode.env.language });
  log.info(`Fetched the results of batch ${batch.id}${details.map(line => `\n${line}`).join('')}`);
  const results: FetchedResults = { joinedPath, fetchedAt: new Date().toISOString(), report };
  return { submission: await registry.update(id, { batch, results }), isFixed: false, lines, requestsLeftOut };
}
