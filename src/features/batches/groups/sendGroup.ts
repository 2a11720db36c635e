import { randomUUID } from 'node:crypto';
import { copyFile, link } from 'node:fs/promises';
import path from 'node:path';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import { type Submission, submissionFiles } from '../../ledger';
import { type SubmitDependencies, type SubmitOutcome, type SubmitRequest, submit } from '../submitting/submit';
import { type GroupPlan, toPlanned, writeGroupPlan } from './groupPlan';
import { isStopWanted } from './stopGroup';

/** A checked file to send as several batches. */
export interface GroupRequest extends Omit<SubmitRequest, 'selection' | 'group'> {
  readonly purpose: GroupPlan['purpose'];
  readonly parts: readonly SelectedRequests[];
  /** Lines to send if not all requests of the file are sent. */
  readonly chosen: Uint32Array | undefined;
}

/** Parts of a plan to send now. */
export interface GroupSending extends Omit<GroupRequest, 'chosen'> {
  readonly groupId: string;
  /** 0-based, ascending. */
  readonly indexes: readonly number[];
}

export interface GroupProgress {
  /** Share of the bytes of all parts, from 0 to 1. Reaches 1 only when everything has left. */
  readonly share: number;
  readonly index: number;
  /** True once the whole part has left and its response is awaited. */
  readonly isWaiting: boolean;
}

export interface GroupOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: GroupProgress) => void;
  /** Called when the batch of a part is known. */
  readonly onCreated?: (outcome: Extract<SubmitOutcome, { kind: 'created' }>) => void;
}

/** Outcome of sending several parts. `stopped` is the part that ended it; nothing was sent after it. */
export interface GroupOutcome {
  readonly kind: 'group';
  readonly groupId: string;
  readonly created: readonly Extract<SubmitOutcome, { kind: 'created' }>[];
  readonly stopped:
    | { readonly index: number; readonly outcome: Exclude<SubmitOutcome, { kind: 'created' }> }
    /** The user canceled between two parts. */
    | { readonly index: number; readonly outcome: undefined }
    | undefined;
  readonly count: number;
}

/**
 * Sends a checked file as several batches, in order. The whole plan is on disk before the first part leaves, and each part before its own
 * request. Stops at the first part without a batch. Rejects if the ledger can't be written; what was sent until then is in it.
 */
export async function beginGroup(deps: SubmitDependencies, request: GroupRequest, options: GroupOptions): Promise<GroupOutcome> {
  const { registry } = deps;
  const { purpose, parts, chosen, follows } = request;
  const plan: GroupPlan = {
    id: randomUUID(),
    connection: request.connection,
    origin: new URL(request.client.baseUrl).origin,
    source: request.source,
    fromEditor: request.fromEditor,
    sha256: request.report.sha256,
    purpose,
    ...(follows && { follows }),
    knownBefore: [...request.knownBefore],
    parts: parts.map(part => toPlanned(part, purpose)),
  };
  await writeGroupPlan(await registry.prepare(request.submissionId), plan, chosen);
  return await sendParts(deps, { ...request, groupId: plan.id, indexes: parts.map((_, index) => index) }, options);
}

/**
 * Sends parts of a plan. The first one uses the prepared submission. Stops before the next part, or before the last byte of one, if a
 * window cancels the sending.
 */
export async function sendParts(deps: SubmitDependencies, sending: GroupSending, options: GroupOptions): Promise<GroupOutcome> {
  const stop = new AbortController();
  const listening = deps.registry.onDidChange(({ group, stopWanted }) => {
    const isMine = group?.id === sending.groupId && stopWanted === true;
    // A part that has left completely is awaited: its response says whether there is a batch to cancel.
    if (isMine && !deps.registry.all().some(part => part.group?.id === sending.groupId && part.state === 'sending' && part.handedOut)) {
      stop.abort();
    }
  });
  try {
    return await sendInOrder(deps, sending, { ...options, signal: AbortSignal.any([options.signal, stop.signal]) });
  } finally {
    listening.dispose();
  }
}

async function sendInOrder(deps: SubmitDependencies, sending: GroupSending, options: GroupOptions): Promise<GroupOutcome> {
  const { parts, indexes, groupId, purpose, ...request } = sending;
  const { signal, onProgress, onCreated } = options;
  const totalBytes = indexes.reduce((sum, index) => sum + (parts[index]?.bodyBytes ?? 0), 0);
  const created: Extract<SubmitOutcome, { kind: 'created' }>[] = [];
  const count = parts.length;
  let doneBytes = 0;
  for (const [turn, index] of indexes.entries()) {
    const requests = parts[index];
    if (requests === undefined) {
      throw new Error(`A group of ${count} parts has no part ${index + 1}.`);
    }
    if (signal.aborted) {
      return { kind: 'group', groupId, created, count, stopped: { index, outcome: undefined } };
    }
    const submissionId = turn === 0 ? request.submissionId : randomUUID();
    if (request.fromEditor) {
      await shareCopy(deps, request.path, submissionId);
    }
    const tell = (sent: number) =>
      onProgress?.({ index, isWaiting: sent >= requests.bodyBytes, share: totalBytes === 0 ? 1 : (doneBytes + sent) / totalBytes });
    tell(0);
    const outcome = await submit(
      deps,
      { ...request, submissionId, selection: { purpose, requests }, group: { id: groupId, index, count } },
      { signal, onProgress: tell },
    );
    if (outcome.kind === 'conflict' && isStopWanted([outcome.other], groupId)) {
      return { kind: 'group', groupId, created, count, stopped: { index, outcome: undefined } };
    }
    if (outcome.kind !== 'created') {
      return { kind: 'group', groupId, created, count, stopped: { index, outcome } };
    }
    doneBytes += requests.bodyBytes;
    created.push(outcome);
    onCreated?.(outcome);
  }
  return { kind: 'group', groupId, created, count, stopped: undefined };
}

/** Returns the indexes of the parts that may be sent: those not started, and those without a batch. */
export function remainingParts(submissions: readonly Submission[], count: number): readonly number[] {
  const begun = new Map(submissions.map(submission => [submission.group?.index ?? 0, submission.state]));
  return Array.from({ length: count }, (_, index) => index).filter(index => {
    const state = begun.get(index);
    return state === undefined || state === 'failed' || state === 'abandoned';
  });
}

/** Copies the unsaved editor text into the folder of each part, where its results are joined with it. */
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
