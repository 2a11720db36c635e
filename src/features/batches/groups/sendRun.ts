import { randomUUID } from 'node:crypto';
import { copyFile, link, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type Submission, type SubmissionRegistry, submissionFiles, toSelection, verifyChecksum, withChecksum } from '../../ledger';
import { type SubmitDependencies, type SubmitOutcome, type SubmitRequest, submit } from '../submitting/submit';

export interface RunRequest extends Omit<SubmitRequest, 'selection' | 'group'> {
  readonly purpose: GroupPlan['purpose'];
  /** Requests of each batch. `undefined` for all requests of the file. */
  readonly parts: readonly (SelectedRequests | undefined)[];
}

interface PartsToSend extends RunRequest {
  /** ID of the group of parts. `undefined` for a run of one batch. */
  readonly groupId: string | undefined;
  /** 0-based indexes of the parts, ascending. */
  readonly indexes: readonly number[];
}

type Created = Extract<SubmitOutcome, { kind: 'created' }>;

export interface RunProgress {
  /** Share of the bytes of all parts, from 0 to 1. It is 1 only once everything was sent. */
  readonly share: number;
  /** 0-based part that is being sent. */
  readonly index: number;
  /** True once the whole part was sent and its response is awaited. */
  readonly isWaiting: boolean;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly onCreated?: (outcome: Created) => void;
}

/** Outcome of sending parts of a run. `stopped` is the part at which sending ended early. No later part was sent. */
export interface RunOutcome {
  readonly groupId: string | undefined;
  readonly created: readonly Created[];
  /** `outcome` is `undefined` if the user canceled between two parts. */
  readonly stopped: { readonly index: number; readonly outcome: Exclude<SubmitOutcome, { kind: 'created' }> | undefined } | undefined;
  readonly count: number;
}

/**
 * Sends a checked file as one batch, or as several in order. The plan of several batches is saved before the first part is sent, and the
 * record of each part before its request. `chosen` has the lines to send if not all are sent. Stops at the first part without a batch.
 * Rejects if the ledger can't be written. The ledger then has records of all parts that were sent.
 */
export async function sendRun(
  deps: SubmitDependencies,
  request: RunRequest,
  chosen: Uint32Array | undefined,
  options: RunOptions,
): Promise<RunOutcome> {
  const { registry } = deps;
  const { connection, source, fromEditor, purpose, parts, follows } = request;
  const groupId = parts.length > 1 ? randomUUID() : undefined;
  if (groupId !== undefined) {
    const plan: GroupPlan = {
      ...{ id: groupId, connection, source, fromEditor, purpose, follows },
      origin: new URL(request.client.baseUrl).origin,
      sha256: request.report.sha256,
      knownBefore: [...request.knownBefore],
      parts: parts.flatMap(part => (part === undefined ? [] : [toPlanned(part, purpose)])),
    };
    await writeGroupPlan(await registry.prepare(request.submissionId), plan, chosen);
  }
  return await sendParts(deps, { ...request, groupId, indexes: parts.map((_, index) => index) }, options);
}

/**
 * Sends parts of a run in order. The first part uses the prepared submission. A cancellation in any window stops a part before its last
 * byte, and the parts after it.
 */
export async function sendParts(deps: SubmitDependencies, sending: PartsToSend, options: RunOptions): Promise<RunOutcome> {
  const { parts, indexes, groupId, purpose, ...request } = sending;
  const { onProgress, onCreated } = options;
  const { registry } = deps;
  const bytesOf = (index: number) => (parts[index] ?? request.report).bodyBytes;
  const totalBytes = indexes.reduce((sum, index) => sum + bytesOf(index), 0);
  const created: Created[] = [];
  const count = parts.length;
  const end = (stopped: RunOutcome['stopped']): RunOutcome => ({ groupId, created, count, stopped });
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const listening = registry.onDidChange(({ group, stopWanted }) => {
    const isStop = groupId !== undefined && group?.id === groupId && stopWanted === true;
    // Waits for a part that was sent completely, because its response shows whether there is a batch to cancel.
    if (isStop && !registry.all().some(part => part.group?.id === groupId && part.state === 'sending' && part.handedOut)) {
      stop.abort();
    }
  });
  try {
    let doneBytes = 0;
    for (const [turn, index] of indexes.entries()) {
      const requests = parts[index];
      if (requests === undefined && groupId !== undefined) {
        throw new Error(`A group of ${count} parts has no part ${index + 1}.`);
      }
      if (signal.aborted && groupId !== undefined) {
        return end({ index, outcome: undefined });
      }
      const submissionId = turn === 0 ? request.submissionId : randomUUID();
      if (request.fromEditor) {
        await shareCopy(deps, request.path, submissionId);
      }
      const reportProgress = (sent: number) =>
        onProgress?.({ index, isWaiting: sent >= bytesOf(index), share: totalBytes === 0 ? 1 : (doneBytes + sent) / totalBytes });
      reportProgress(0);
      const part = {
        ...{ ...request, submissionId },
        ...(requests && { selection: { purpose, requests } }),
        ...(groupId !== undefined && { group: { id: groupId, index, count } }),
      };
      const outcome = await submit(deps, part, { signal, onProgress: reportProgress });
      if (outcome.kind === 'conflict' && groupId !== undefined && isStopWanted([outcome.other], groupId)) {
        return end({ index, outcome: undefined });
      }
      if (outcome.kind !== 'created') {
        return end({ index, outcome });
      }
      doneBytes += bytesOf(index);
      created.push(outcome);
      onCreated?.(outcome);
    }
    return end(undefined);
  } finally {
    listening.dispose();
  }
}

/** Returns the indexes of the parts that may be sent, because they were not started or have no batch. */
export function remainingParts(submissions: readonly Submission[], count: number): readonly number[] {
  const states = new Map(submissions.map(submission => [submission.group?.index ?? 0, submission.state]));
  return Array.from({ length: count }, (_, index) => index).filter(index => {
    const state = states.get(index);
    return state === undefined || state === 'failed' || state === 'abandoned';
  });
}

/** Copies the unsaved editor text into the folder of a part, so that the part's results can be joined with it. */
async function shareCopy({ registry }: SubmitDependencies, from: string, submissionId: string): Promise<void> {
  const to = path.join(await registry.prepare(submissionId), submissionFiles.editorCopy);
  if (to === from) {
    return;
  }
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}

type Registry = Pick<SubmissionRegistry, 'all' | 'reload' | 'update' | 'whileNoneBegins'>;

/** Maximum time to wait for a part that is being sent, in milliseconds. */
const longestWait = 20_000;
/** Interval between polls for changes of other windows, in milliseconds. */
const pollEvery = 250;

/** Returns whether the user canceled the sending of more parts. */
export function isStopWanted(submissions: readonly Submission[], groupId: string): boolean {
  return submissions.some(({ group, stopWanted }) => group?.id === groupId && stopWanted === true);
}

/**
 * Cancels the sending of more parts in all windows. Settles with the submissions once no part is being sent. After a timeout, one
 * submission may still be `sending`. Aborting `signal` throws but does not undo the cancellation. A sender checks for it before each part
 * and before its last byte.
 */
export async function stopGroup(registry: Registry, groupId: string, signal?: AbortSignal): Promise<readonly Submission[]> {
  const partsNow = async () => {
    await registry.reload();
    return registry.all().filter(({ group }) => group?.id === groupId);
  };
  await registry.whileNoneBegins(async () => {
    for (const part of await partsNow()) {
      await registry.update(part.id, { stopWanted: true });
    }
  });
  const end = performance.now() + longestWait;
  for (;;) {
    const parts = await partsNow();
    if (!parts.some(({ state }) => state === 'sending') || performance.now() > end) {
      return parts;
    }
    await sleep(pollEvery, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** Revokes the cancellation of a group, so that its remaining parts can be sent. */
export async function allowGroup(registry: Pick<Registry, 'all' | 'update'>, groupId: string): Promise<void> {
  for (const part of registry.all().filter(({ group, stopWanted }) => group?.id === groupId && stopWanted === true)) {
    await registry.update(part.id, { stopWanted: undefined });
  }
}

/** Names of the plan's files. They are in the folder of the first part's submission. */
const groupFiles = {
  plan: 'group.json',
  /** Lines to send if not all are sent: 0-based decimal numbers, each followed by LF. */
  lines: 'group.lines',
} as const;

const partSchema = z.object({
  firstLine: z.number().int().nonnegative(),
  lastLine: z.number().int().nonnegative(),
  requests: z.number().int().positive(),
  bodyBytes: z.number().int().positive(),
  digest: z.string(),
});

const planSchema = z.object({
  id: z.string().min(1),
  connection: z.string(),
  origin: z.string(),
  source: z.string(),
  fromEditor: z.boolean(),
  sha256: z.string(),
  purpose: z.enum(['part', 'canary', 'rest', 'changed']),
  follows: z.object({ runId: z.string(), purpose: z.enum(['retry', 'changed', 'rest']) }).optional(),
  knownBefore: z.array(z.string()),
  parts: z.array(partSchema).min(2),
});

/** Plan of a run of several parts, with everything needed to send the remaining parts. It is on disk before the first part is sent. */
export type GroupPlan = z.infer<typeof planSchema>;

/** Returns the plan's record of a part. */
function toPlanned({ lines, bodyBytes }: SelectedRequests, purpose: GroupPlan['purpose']): GroupPlan['parts'][number] {
  const { firstLine, lastLine, digest } = toSelection({ purpose, lines });
  return { firstLine, lastLine, digest, requests: lines.length, bodyBytes };
}

/** Writes a plan to a submission's folder. It is on disk when this settles. `chosen` has the lines to send if not all are sent. */
async function writeGroupPlan(folder: string, plan: GroupPlan, chosen: Uint32Array | undefined): Promise<void> {
  if (chosen !== undefined) {
    await WholeFile.write(path.join(folder, groupFiles.lines), `${chosen.join('\n')}\n`);
  }
  await WholeFile.write(path.join(folder, groupFiles.plan), withChecksum(`${JSON.stringify(plan)}\n`));
}

/**
 * Returns the plan of a group with its file's current location, and the submission that contains the plan. Returns `undefined` if the plan
 * is unreadable.
 */
export async function readGroupPlan(registry: Pick<SubmissionRegistry, 'all' | 'folder'>, groupId: string) {
  for (const submission of registry.all()) {
    if (submission.group?.id === groupId && submission.group.index === 0) {
      try {
        const text = await readFile(path.join(registry.folder(submission.id), groupFiles.plan), 'utf8');
        verifyChecksum(text);
        const plan = planSchema.parse(JSON.parse(text));
        if (plan.id === groupId) {
          return { plan: { ...plan, source: submission.source }, holder: submission };
        }
      } catch {
        // Another submission of the first part may contain the plan.
      }
    }
  }
  return undefined;
}

/** Returns the planned parts of a file that was checked again. Throws if they differ from the plan. */
export async function readParts(
  jobs: Pick<JsonlJobs, 'selectRequests' | 'cutRequests'>,
  report: BatchFileReport,
  plan: GroupPlan,
  folder: string,
): Promise<readonly SelectedRequests[]> {
  const text = plan.purpose === 'part' ? undefined : await readFile(path.join(folder, groupFiles.lines), 'utf8');
  const unlimited = { maxRequests: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };
  const all =
    text === undefined
      ? (jobs.cutRequests(report, unlimited)[0]?.lines ?? new Uint32Array())
      : Uint32Array.from(text.split('\n').slice(0, -1), Number);
  return plan.parts.map((part, index) => {
    const selected = jobs.selectRequests(
      report,
      all.filter(line => line >= part.firstLine && line <= part.lastLine),
    );
    if (toPlanned(selected, plan.purpose).digest !== part.digest || selected.bodyBytes !== part.bodyBytes) {
      throw new Error(`Part ${index + 1} does not match the plan of the split.`);
    }
    return selected;
  });
}
