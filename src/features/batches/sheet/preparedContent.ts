import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BatchFileReport, BatchLimits, CheckTerms } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import { stampIfReadable } from '../../../jsonl/files/publishing';
import type { JobOptions, JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Follows, type Selection, type SubmissionRegistry, submissionFileName, submissionFiles } from '../../ledger';
import { isUnsavedTab } from '../../requests';
import type { BatchDependencies } from '../batchDependencies';
import type { Destination } from '../destination';
import { readContent, type SubmitContent } from '../submitting/createBatchTarget';
import type { Retry } from './choices';

/** Source of the bytes to check and send, with the data to detect changes of the file. */
export interface PreparedContent extends SubmitContent {
  /** ID of the submission that sending would create. Its folder has the copy of unsaved text. */
  readonly submissionId: string;
  /** Version of the document if it is open in an editor. */
  readonly version: number | undefined;
  readonly stamp: string | undefined;
}

/** Reads the current content of a file from its open document, or else from the disk. Throws an error for the user if that fails. */
export async function prepareContent(registry: SubmissionRegistry, target: vscode.Uri): Promise<PreparedContent> {
  const submissionId = randomUUID();
  // Read first, so that any later change is detected.
  const version = documentOf(target)?.version;
  const stamp = await stampOfTarget(target);
  try {
    return { ...(await readContent(target, () => registry.prepareInUse(submissionId))), submissionId, version, stamp };
  } catch (error) {
    await registry.discard(submissionId);
    throw error;
  }
}

/** Describes how the content has changed since it was prepared, or returns `undefined` if it hasn't. */
export async function describeChange(content: PreparedContent, target: vscode.Uri): Promise<string | undefined> {
  const stamp = await stampOfTarget(target);
  // Read last, after all slow steps, so that the latest text is compared.
  const document = documentOf(target);
  const isUnsaved = document?.isDirty === true || isUnsavedTab(target);
  if (!content.fromEditor && !isUnsaved && stamp === undefined) {
    return vscode.l10n.t('File not found.');
  }
  const isSame = content.fromEditor
    ? document !== undefined && document.version === content.version
    : !isUnsaved && stamp === content.stamp;
  return isSame ? undefined : vscode.l10n.t('The file has changed since it was checked.');
}

/** Deletes content that was prepared but not sent. Synchronous, because a closing window may have no time left. */
export function discardContent(registry: SubmissionRegistry, { submissionId }: Pick<PreparedContent, 'submissionId'>): void {
  const folder = registry.folder(submissionId);
  registry.letGo(submissionId);
  if (isMissing(path.join(folder, submissionFileName))) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether a file does not exist. After any other failure than ENOENT, the file counts as existing. */
function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString() && !document.isClosed);
}

async function stampOfTarget({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  return await stampIfReadable(scheme === 'file' ? fsPath : undefined);
}

/** A checked file and its destination. */
export interface Checked {
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly isForeign: boolean;
  /** True if the requests of the file contain transcripts of sessions. */
  readonly isAboutSessions: boolean;
  readonly destination: Destination;
  /** Severities of the rules at the time of the check. */
  readonly severities: string;
}

/** Requests to send, and the content that contains them. */
export interface Outgoing {
  readonly content: Pick<PreparedContent, 'submissionId' | 'path' | 'fromEditor'>;
  readonly report: BatchFileReport;
  readonly requestCount: number;
  /** Size of a single body with all requests, in bytes. */
  readonly bodyBytes: number;
  readonly models: BatchFileReport['models'];
  /** The selected requests. `undefined` if all requests of the content are sent. */
  readonly selected: SelectedRequests | undefined;
  /**
   * Requests of each batch if several batches are needed. Empty if a single request exceeds the limits. `undefined` if one batch is enough.
   */
  readonly parts: readonly SelectedRequests[] | undefined;
  readonly purpose: Selection['purpose'];
  readonly follows: Follows | undefined;
  /** 0-based line in the file for each line of `content`. */
  readonly fileLines?: Uint32Array;
}

type OutgoingSource = Pick<Outgoing, 'content' | 'report'> &
  Partial<Pick<Outgoing, 'follows' | 'fileLines'>> & {
    readonly limits: BatchLimits;
    /** The selected requests of the content, with the reason. Defaults to all requests. */
    readonly chosen?: { readonly purpose: Selection['purpose']; readonly lines: Uint32Array } | undefined;
  };

/** Selects requests of checked content, and splits them into batches if they exceed the limits. */
export function toOutgoing(
  jobs: Pick<JsonlJobs, 'selectRequests' | 'cutRequests'>,
  { content, report, limits, chosen, follows, fileLines }: OutgoingSource,
): Outgoing {
  const selected = chosen && jobs.selectRequests(report, chosen.lines);
  const { bodyBytes, models } = selected ?? report;
  const requestCount = selected?.lines.length ?? report.requestCount;
  const isOver = requestCount > limits.maxRequests || bodyBytes > limits.maxBytes;
  return {
    ...{ content, report, requestCount, bodyBytes, models, selected, follows, purpose: chosen?.purpose ?? 'part' },
    parts: isOver ? cut(jobs, report, limits, selected?.lines) : undefined,
    ...(fileLines && { fileLines }),
  };
}

function cut(jobs: Pick<JsonlJobs, 'cutRequests'>, report: BatchFileReport, limits: BatchLimits, lines: Uint32Array | undefined) {
  try {
    return jobs.cutRequests(report, limits, lines);
  } catch {
    // A single request is over the limits. The check reports it at its line.
    return [];
  }
}

/** Writes the selected requests with their changes to a new submission's folder and checks them. `source` is the sheet's file URI. */
export async function prepareRetry(
  { registry, jobs }: Pick<BatchDependencies, 'registry' | 'jobs'>,
  { sources, choice }: Retry,
  source: string,
  terms: CheckTerms,
  options: JobOptions,
): Promise<Outgoing> {
  const submissionId = randomUUID();
  const outPath = path.join(await registry.prepareInUse(submissionId), submissionFiles.editorCopy);
  const content = { submissionId, path: outPath, fromEditor: true };
  try {
    const { groups } = choice;
    await jobs.run('writeRetry', { files: sources.plan.files, groups, outPath }, options);
    const report = await jobs.checkFile(outPath, terms, options);
    const follows = { runId: sources.root.id, purpose: 'retry' } as const;
    const fileLines = sources.files.every(file => file.source === source) ? writtenLines(groups) : undefined;
    return toOutgoing(jobs, { content, report, limits: terms.limits, follows, ...(fileLines && { fileLines }) });
  } catch (error) {
    discardContent(registry, content);
    throw error;
  }
}

function writtenLines(groups: Retry['choice']['groups']): Uint32Array {
  const found = groups.flatMap(({ places, lines }) => [...lines].map((line, at) => ({ line, file: places[at * 2] ?? 0 })));
  return Uint32Array.from(
    found.sort((a, b) => a.file - b.file || a.line - b.line),
    ({ line }) => line,
  );
}
