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
import type { LinesFate, MergeSource } from '../../../jsonl/merging/mergingJobs';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { type Connections, reach, type Use } from '../../connection';
import {
  type FetchedResults,
  resultsOf,
  type Run,
  runOf,
  type RunResults,
  sentPathOf,
  type Submission,
  submissionFiles,
  type SubmissionRegistry,
} from '../../ledger';
import { incompletePathOf } from './fetchDownload';
import { type FetchedReport, type FetchOptions, type FetchProgress, fetchResults, joinFetched } from './fetchResults';
import { fixLines, isLineMapError, linesPathOf, mergeFixing, worse } from './fixLines';
import { type BestResults, updateResultsFile } from './resultsFile';
import { describeResultsDetails } from './resultsMessages';

export interface FetchRunDependencies {
  readonly log: Pick<Log, 'info'>;
  readonly connections: Pick<Connections, 'find' | 'client'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'find' | 'load' | 'reload' | 'folder' | 'root' | 'update'>;
  readonly onBatchChanged?: (connection: string, batch: MessageBatch) => void;
}

interface FetchPartOptions {
  readonly signal: AbortSignal;
  /** Pass `look` for an automatic fetch. Default: `read`. */
  readonly use?: Extract<Use, 'look' | 'read'> | undefined;
  readonly maxBytes?: number | undefined;
  /** Joins the part of cut results that is on this machine, instead of calling the service. */
  readonly usesIncomplete?: boolean | undefined;
  readonly onProgress?: (progress: FetchProgress) => void;
}

interface FetchedPart {
  readonly submission: Submission;
  /** True if the results were on this machine and damaged. */
  readonly isFixed: boolean;
  /** Result of fixing its list of lines if that was damaged or missing. */
  readonly lines: LinesFate | undefined;
  readonly requestsLeftOut: string | undefined;
}

type JoinOptions = Awaited<ReturnType<typeof toJoinOptions>>;

export interface FetchRunOptions extends Omit<FetchPartOptions, 'onProgress'> {
  /** `share` is from 0 to 1. `part` is the 0-based part that is being fetched, or `undefined` while results are joined. */
  readonly onProgress?: (progress: { readonly part: number | undefined; readonly share: number }) => void;
}

/** Results of a run on this machine. Part numbers are 0-based. */
export interface FetchedRun {
  /** Results of all fetched parts. `undefined` if no part has any. */
  readonly results: RunResults | undefined;
  /** Parts that `results` includes. */
  readonly fetched: readonly number[];
  readonly failed: readonly { readonly index: number; readonly error: unknown }[];
  /** Parts whose results were on this machine and damaged. */
  readonly fixed: readonly number[];
  /** Worst result of fixing the lists of lines, if one was damaged. */
  readonly lines: LinesFate | undefined;
  readonly requestsLeftOut: string | undefined;
  readonly best: BestResults | undefined;
  readonly fileError: unknown;
}

/**
 * Fetches the results of all ended parts of a run, joins them in the order of the request file, and updates its results file. Results that
 * are on this machine aren't fetched again. If one part fails, the others are still fetched. Shows no user interface. Throws the signal's
 * reason.
 */
export async function fetchRun(deps: FetchRunDependencies, run: Run, options: FetchRunOptions): Promise<FetchedRun> {
  const { registry } = deps;
  const { signal, onProgress } = options;
  const fetched: Submission[] = [];
  const failed: { readonly index: number; readonly error: unknown }[] = [];
  const fixed: number[] = [];
  let lines: LinesFate | undefined;
  let requestsLeftOut: string | undefined;
  const partCount = run.submissions.length;
  for (const [done, submission] of run.submissions.entries()) {
    signal.throwIfAborted();
    const index = submission.group?.index ?? 0;
    const report = (share: number) => onProgress?.({ part: index, share: (done + share) / (partCount + 1) });
    report(0);
    try {
      const part = await fetchPart(deps, submission, {
        ...options,
        onProgress: ({ phase, doneBytes, totalBytes }) => {
          const half = totalBytes === undefined || totalBytes === 0 ? 0 : doneBytes / totalBytes / 2;
          report(phase === 'joining' ? 0.5 + half : half);
        },
      });
      if (part !== undefined) {
        fetched.push(part.submission);
        lines = worse(lines, part.lines);
        requestsLeftOut ??= part.requestsLeftOut;
        fixed.push(...(part.isFixed ? [index] : []));
      }
    } catch (error) {
      signal.throwIfAborted();
      failed.push({ index, error });
    }
  }
  const joining = {
    signal,
    onProgress: ({ doneBytes, totalBytes }: { readonly doneBytes: number; readonly totalBytes: number }) =>
      onProgress?.({ part: undefined, share: (partCount + (totalBytes === 0 ? 1 : doneBytes / totalBytes)) / (partCount + 1) }),
  };
  if (fetched.length > 0 && run.parts > 1) {
    lines = worse(lines, await joinParts(deps, run.lead.id, fetched, joining));
  }
  const now = runOf(registry.all(), run.lead) ?? run;
  const results = fetched.length === 0 ? undefined : resultsOf(now);
  let best: BestResults | undefined;
  let fileError: unknown;
  try {
    best = results && (await updateResultsFile(deps, now, joining));
  } catch (error) {
    signal.throwIfAborted();
    fileError = error;
  }
  return { results, fetched: fetched.map(({ group }) => group?.index ?? 0), failed, fixed, lines, requestsLeftOut, best, fileError };
}

/** Joins the results of several parts into one file, in the ledger's folder of the first part. */
async function joinParts(
  deps: FetchRunDependencies,
  leadId: string,
  parts: readonly Submission[],
  options: Parameters<typeof updateResultsFile>[2] & { readonly signal: AbortSignal },
): Promise<LinesFate | undefined> {
  const { registry, jobs } = deps;
  const inFolder = (name: string) => path.join(registry.folder(leadId), name);
  const fix = (part: Submission) => fixLines(deps, part, options.signal);
  const { merged, lines } = await mergeFixing(parts, registry, fix, async linesOf =>
    jobs.run(
      'mergeResults',
      {
        generations: await Promise.all(parts.map(async part => toGeneration(registry, part, await linesOf(part)))),
        joinedPath: inFolder(submissionFiles.groupResults),
        indexPath: inFolder(submissionFiles.groupIndex),
      },
      options,
    ),
  );
  const { report, joinedPath } = merged;
  await registry.update(leadId, { groupResults: { joinedPath, fetchedAt: new Date().toISOString(), report } });
  return lines;
}

function toGeneration(
  registry: Pick<SubmissionRegistry, 'folder'>,
  { id, results, requestCount }: Submission,
  linesPath: string | undefined,
): MergeSource['generations'][number] {
  return {
    joinedPath: results?.joinedPath ?? '',
    indexPath: path.join(registry.folder(id), submissionFiles.resultsIndex),
    ...(linesPath === undefined ? { linesPaths: [] } : { linesPaths: [linesPath], requestCounts: [requestCount] }),
    isSameSource: true,
    ...(results && { report: results.report }),
  };
}

/**
 * Returns the joined results of a batch in the ledger's folder: the existing ones, the raw results joined again, or newly fetched ones.
 * Returns `undefined` if the batch has no results yet. Throws the errors of `fetchResults`, and an error for the user if the batch can't be
 * reached.
 */
async function fetchPart(deps: FetchRunDependencies, submission: Submission, options: FetchPartOptions): Promise<FetchedPart | undefined> {
  const { results, connection, batchId, state, deleted } = submission;
  const { signal, use, maxBytes, onProgress } = options;
  const join = await toJoinOptions(deps, submission, options);
  // Results that were incomplete may be complete now, but only the user's own request fetches them again.
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

/** Returns whether joined results are intact, and include their requests if those are wanted. */
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
  deps: FetchRunDependencies,
  submission: Submission,
  { report }: FetchedResults,
  join: JoinOptions,
): Promise<FetchedPart | undefined> {
  const { batch } = submission;
  const found = await stat(join.rawPath).catch(() => undefined);
  if (batch === undefined || found?.size !== report.rawBytes) {
    return undefined;
  }
  const fetched = await joinFixed(deps, submission, { ...join, batch });
  deps.log.info(`The results of batch ${batch.id} were joined again from what the service had sent.`);
  return await remember(deps, submission, batch, { lines: join.lines, ...fetched });
}

/** Reads a batch from its service. Throws an error for the user if its connection no longer exists, and service errors. */
export async function retrieveBatch(
  { connections, onBatchChanged }: Pick<FetchRunDependencies, 'connections' | 'onBatchChanged'>,
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
  deps: FetchRunDependencies,
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

async function toJoinOptions(deps: FetchRunDependencies, submission: Submission, { signal, onProgress }: FetchPartOptions) {
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

async function remember(
  { registry, log }: FetchRunDependencies,
  { id }: Submission,
  batch: MessageBatch,
  { joinedPath, report, lines, requestsLeftOut }: FetchedReport,
): Promise<FetchedPart> {
  const details = describeResultsDetails(report, { translate: vscode.l10n.t, locale: vscode.env.language });
  log.info(`Fetched the results of batch ${batch.id}${details.map(line => `\n${line}`).join('')}`);
  const results: FetchedResults = { joinedPath, fetchedAt: new Date().toISOString(), report };
  return { submission: await registry.update(id, { batch, results }), isFixed: false, lines, requestsLeftOut };
}
