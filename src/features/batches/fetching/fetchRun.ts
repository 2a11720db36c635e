import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { exists } from '../../../common/asking/newFile';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import type { BatchReference } from '../../../contributions';
import type { JobOptions } from '../../../jsonl/jobs/jobs';
import type { LinesFate } from '../../../jsonl/merging/restoreLines';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { reach, type Use } from '../../connection';
import {
  type FetchedResults,
  type Run,
  type RunResults,
  resultsOf,
  runOf,
  type Submission,
  sentPathOf,
  submissionFiles,
} from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { toSentence } from '../submitting/createBatchMessages';
import { incompletePathOf } from './fetchDownload';
import { describeResultsDetails } from './fetchMessages';
import { type FetchedReport, type FetchProgress, fetchResults, joinFetched } from './fetchResults';
import { type BestResults, checkLines, type ResultsFileDependencies, updateResultsFile } from './resultsFile';

export type FetchRunDependencies = ResultsFileDependencies & Pick<BatchDependencies, 'connections' | 'onBatchChanged'>;

interface FetchPartOptions {
  readonly signal: AbortSignal;
  /** Purpose of the requests: `look` for an automatic fetch, otherwise `read`, which is the default. */
  readonly use?: Extract<Use, 'look' | 'read'> | undefined;
  readonly maxBytes?: number | undefined;
  /** True to join the received part of cut results, instead of downloading them again. */
  readonly usesIncomplete?: boolean | undefined;
  readonly onProgress?: (progress: FetchProgress) => void;
}

interface FetchedPart {
  readonly submission: Submission;
  readonly linesPath: string | undefined;
  readonly notes: readonly string[];
}

type JoinOptions = Awaited<ReturnType<typeof toJoinOptions>>;

interface FetchRunOptions extends Omit<FetchPartOptions, 'onProgress'> {
  /** `share` is from 0 to 1. `part` is the 0-based part that is being fetched, or `undefined` while results are joined. */
  readonly onProgress?: (progress: { readonly part: number | undefined; readonly share: number }) => void;
}

/** Results of a run on this machine. Part numbers are 0-based. */
export interface FetchedRun {
  /** Results of all fetched parts. `undefined` if no part has any. */
  readonly results: RunResults | undefined;
  /** Parts whose results are in `results`. */
  readonly fetched: readonly number[];
  readonly failed: readonly { readonly index: number; readonly error: unknown }[];
  /** Sentences about damage that was repaired and requests that were left out. */
  readonly notes: readonly string[];
  readonly best: BestResults | undefined;
  readonly fileError: unknown;
}

/**
 * Fetches the results of all ended parts of a run, joins them in the order of the request file, and updates its results file. Results that
 * are on this machine aren't fetched again. If one part fails, the other parts are still fetched. Shows no user interface. Throws the
 * signal's reason after an abort.
 */
export async function fetchRun(deps: FetchRunDependencies, run: Run, options: FetchRunOptions): Promise<FetchedRun> {
  const { registry } = deps;
  const { signal, onProgress } = options;
  const fetched: FetchedPart[] = [];
  const failed: { readonly index: number; readonly error: unknown }[] = [];
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
      fetched.push(...(part === undefined ? [] : [part]));
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
    await joinParts(deps, run.lead.id, fetched, joining);
  }
  const updated = runOf(registry.all(), run.lead) ?? run;
  const results = fetched.length === 0 ? undefined : resultsOf(updated);
  let best: BestResults | undefined;
  let fileError: unknown;
  try {
    best = results && (await updateResultsFile(deps, updated, joining));
  } catch (error) {
    signal.throwIfAborted();
    fileError = error;
  }
  const notes = [...new Set(fetched.flatMap(part => part.notes))];
  return { results, fetched: fetched.map(({ submission: { group } }) => group?.index ?? 0), failed, notes, best, fileError };
}

/** Joins the results of several parts into one file, in the ledger's folder of the first part. */
async function joinParts({ registry, jobs }: FetchRunDependencies, leadId: string, parts: readonly FetchedPart[], options: JobOptions) {
  const inFolder = (name: string) => path.join(registry.folder(leadId), name);
  const generations = parts.map(({ submission: { id, results, requestCount }, linesPath }) => ({
    joinedPath: results?.joinedPath ?? '',
    indexPath: path.join(registry.folder(id), submissionFiles.resultsIndex),
    ...(linesPath === undefined ? { linesPaths: [] } : { linesPaths: [linesPath], requestCounts: [requestCount] }),
    isSameSource: true,
    ...(results && { report: results.report }),
  }));
  const files = { joinedPath: inFolder(submissionFiles.groupResults), indexPath: inFolder(submissionFiles.groupIndex) };
  const { report, joinedPath } = await jobs.run('mergeResults', { generations, ...files }, options);
  await registry.update(leadId, { groupResults: { joinedPath, fetchedAt: new Date().toISOString(), report } });
}

/**
 * Returns the joined results of a batch in the ledger's folder. Joins the raw results again or fetches them if necessary. Returns
 * `undefined` if the batch has no results yet. Throws the errors of `fetchResults`, and an error for the user if the batch can't be
 * reached.
 */
async function fetchPart(deps: FetchRunDependencies, submission: Submission, options: FetchPartOptions): Promise<FetchedPart | undefined> {
  const { results, connection, batchId, state, deleted } = submission;
  const { signal, use, maxBytes, onProgress } = options;
  const { linesPath, fate } = await checkLines(deps, submission, signal);
  const join = await toJoinOptions(deps, submission, linesPath, options);
  const toPart = (updated: Submission, isFixed: boolean, requestsLeftOut?: string): FetchedPart => ({
    submission: updated,
    linesPath,
    notes: describeRepairs(fate, isFixed, requestsLeftOut),
  });
  // Results that were incomplete may be complete now, but only the user's own request fetches them again.
  const isToImprove = results?.report.complete === false && use !== 'look' && deleted !== true;
  const isToKeep = results !== undefined && !isToImprove;
  if (isToKeep) {
    if (await isCurrent(results, join)) {
      return toPart(submission, false);
    }
    const again = await joinAgain(deps, submission, results, join).catch((error: unknown) => {
      signal.throwIfAborted();
      deps.log.info(`The local results of batch ${batchId} are damaged: ${describeError(error)}`);
      return undefined;
    });
    if (again !== undefined) {
      return toPart(again, true);
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
  const fetched =
    options.usesIncomplete === true && (await exists(incompletePath))
      ? await joinFetched(incompletePath, { ...join, batch })
      : await fetchResults({ ...join, client, batch, maxBytes, onProgress });
  return toPart(await remember(deps, submission, batch, fetched), isToKeep, fetched.requestsLeftOut);
}

function describeRepairs(fate: LinesFate, isFixed: boolean, requestsLeftOut: string | undefined): readonly string[] {
  const { t } = vscode.l10n;
  const lines: Readonly<Record<LinesFate, string>> = {
    whole: '',
    restored: t('The list of lines was damaged and has been rebuilt from the file.'),
    lost: t("Results are in the service's order, because the list of lines is damaged and the file has changed since it was sent."),
  };
  const leftOut = requestsLeftOut && t('Requests are missing from the results file: {0}', toSentence(requestsLeftOut));
  return [leftOut ?? '', isFixed ? t('The results were damaged and have been rebuilt.') : '', lines[fate]].filter(text => text !== '');
}

/** Returns whether joined results are intact and, if requests are wanted, include them. */
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

/** Joins the raw results again. Returns `undefined` if the raw results are missing or cut off. */
async function joinAgain(deps: FetchRunDependencies, submission: Submission, { report }: FetchedResults, join: JoinOptions) {
  const { batch } = submission;
  const found = await stat(join.rawPath).catch(() => undefined);
  if (batch === undefined || found?.size !== report.rawBytes) {
    return undefined;
  }
  const fetched = await joinFetched(join.rawPath, { ...join, batch });
  deps.log.info(`The results of batch ${batch.id} were joined again from the saved response.`);
  return await remember(deps, submission, batch, fetched);
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

async function toJoinOptions(
  { registry, jobs }: FetchRunDependencies,
  submission: Submission,
  linesPath: string | undefined,
  { signal, onProgress }: FetchPartOptions,
) {
  const folder = registry.folder(submission.id);
  const requests = sentPathOf(registry, submission);
  const includes = readSetting('managedAgents.results.includeRequests') && requests !== undefined && (await exists(requests));
  return {
    ...{ jobs, signal, onProgress, linesPath },
    joinedPath: path.join(folder, submissionFiles.joinedResults),
    rawPath: path.join(folder, submissionFiles.rawResults),
    indexPath: path.join(folder, submissionFiles.resultsIndex),
    requestCount: submission.requestCount,
    includeRequestsFrom: includes ? requests : undefined,
    sourceSha256: submission.sha256,
  };
}

async function remember(
  { registry, log }: FetchRunDependencies,
  { id }: Submission,
  batch: MessageBatch,
  { joinedPath, report }: FetchedReport,
): Promise<Submission> {
  const details = describeResultsDetails(report, { translate: vscode.l10n.t, locale: vscode.env.language });
  log.info(`Fetched the results of batch ${batch.id}${details.map(line => `\n${line}`).join('')}`);
  return await registry.update(id, { batch, results: { joinedPath, fetchedAt: new Date().toISOString(), report } });
}
