import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { StreamedBody } from '../../../contract/streamedBody';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { SelectedRequests } from '../../../jsonl/checking/requestPlan';
import { SourceChangedError } from '../../../jsonl/files/fileState';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import {
  type Follows,
  followsOf,
  type GroupPart,
  type ModelEstimate,
  type Selection,
  type SendingHold,
  type Submission,
  SubmissionMovedOnError,
  type SubmissionRegistry,
  submissionFiles,
  toSelection,
} from '../../ledger';
import { repeatsOf } from './repeatsOf';

/** A checked file and its destination. */
export interface SubmitRequest {
  /** ID of the new submission. If its folder has a copy of the editor's text, the registry has prepared it. */
  readonly submissionId: string;
  readonly connection: string;
  readonly client: ServiceClient;
  /** URI string of the file. */
  readonly source: string;
  readonly path: string;
  readonly fromEditor: boolean;
  readonly report: BatchFileReport;
  /** The requests to send, with the reason for the selection. Without it, all requests are sent. */
  readonly selection?: { readonly purpose: Selection['purpose']; readonly requests: SelectedRequests };
  readonly group?: GroupPart;
  /** Estimate for all requests. The first part of a group has the estimate of the whole group. */
  readonly estimate?: readonly ModelEstimate[];
  /** Run that this run follows. Defaults to the run whose results the file was made from, if any. */
  readonly follows?: Follows;
  /** Earlier submissions of the same content that the user wants to repeat. */
  readonly knownBefore: ReadonlySet<string>;
}

export interface SubmitDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'requestBody'>;
  readonly log: { info(message: string): void; error(message: string, error?: unknown): void };
  readonly listedBatches?: ((connection: string) => readonly string[]) | undefined;
}

export interface SubmitOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent so far. */
  readonly onProgress?: (sentBytes: number) => void;
}

/** Reason why no batch was created: the service refused, the body was not sent to its end, or the file changed meanwhile. */
export type FailureReason = 'refused' | 'not_sent' | 'incomplete' | 'canceled' | 'source_changed';

export type SubmitOutcome =
  | {
      readonly kind: 'created';
      readonly submission: Submission;
      readonly batch: MessageBatch;
      /** Error if the batch could not be saved on this machine. */
      readonly unsaved?: unknown;
    }
  /** The service has not created a batch. */
  | { readonly kind: 'failed'; readonly submission: Submission; readonly reason: FailureReason; readonly error: unknown }
  /** Everything was sent, but no usable response arrived. */
  | { readonly kind: 'unknown'; readonly submission: Submission; readonly error: unknown }
  /** Nothing was sent, because another window is sending the same content, or has just sent it. */
  | { readonly kind: 'conflict'; readonly other: Submission };

const maxModels = 100;

/**
 * Submits a checked file as one batch, exactly once. The submission is on disk before the request is sent, and its outcome before this
 * settles. Never makes a second request. Rejects only if the submission could not be stored. Nothing was sent then.
 */
export async function submit(deps: SubmitDependencies, request: SubmitRequest, options: SubmitOptions): Promise<SubmitOutcome> {
  const { registry } = deps;
  const { report, client, selection, group } = request;
  const follows = request.follows ?? followsOf(registry.all(), request.source, report.sha256);
  const sent = selection?.requests ?? report;
  const submission: Submission = {
    id: request.submissionId,
    connection: request.connection,
    origin: new URL(client.baseUrl).origin,
    source: request.source,
    ...(request.fromEditor ? { fromEditor: true } : {}),
    fileBytes: report.fileBytes,
    sha256: report.sha256,
    requestCount: selection?.requests.lines.length ?? report.requestCount,
    bodyBytes: sent.bodyBytes,
    models: sent.models.slice(0, maxModels),
    ...(selection && {
      selection: { ...toSelection({ purpose: selection.purpose, lines: selection.requests.lines }), total: report.requestCount },
    }),
    ...(group && { group }),
    ...(request.estimate && (group?.index ?? 0) === 0 && { estimate: request.estimate.slice(0, maxModels) }),
    ...(follows && { follows }),
    state: 'sending',
    handedOut: false,
    startedAt: new Date().toISOString(),
  };
  const begun = await registry.begin(submission, () => {
    const others = registry.all().filter(({ id }) => id !== submission.id);
    return stoppedBy(submission, others) ?? repeatsOf(submission, others).find(({ id }) => !request.knownBefore.has(id));
  });
  if ('conflict' in begun) {
    return { kind: 'conflict', other: begun.conflict };
  }
  try {
    return await send(deps, request, submission, begun, options);
  } finally {
    await begun.release();
  }
}

async function send(
  deps: SubmitDependencies,
  request: SubmitRequest,
  submission: Submission,
  hold: SendingHold,
  { signal, onProgress }: SubmitOptions,
): Promise<SubmitOutcome> {
  const { registry, log } = deps;
  const { path, report, selection } = request;
  const linesPath = join(registry.folder(submission.id), submissionFiles.lines);
  const bytes = deps.jobs.requestBody({ path, report, linesPath, ...(selection && { selected: selection.requests }) });
  let known: ReturnType<typeof knownBatches> = new Set();
  const body = new CountedBody(bytes, async begunAt => {
    known = knownBatches(deps, submission);
    await noteHandedOut(deps, submission, hold, begunAt);
  });
  let batch: MessageBatch;
  let requestId: string | undefined;
  try {
    const response = await request.client.batches.create(body, { signal, onProgress, requestCount: submission.requestCount });
    batch = response.data;
    requestId = response.requestId;
  } catch (error) {
    return await settleFailure(deps, submission, error, failureReason(error, body, signal), signal);
  }
  const rejectBatch = (why: string) =>
    settleFailure(deps, submission, new Error(`${submission.origin} responded with batch ${batch.id} ${why}`), undefined, signal);
  if (!body.isHandedOut()) {
    // A service that responds before the last byte can't have received the whole body.
    return await rejectBatch('before the whole body had left');
  }
  if (known.has(batch.id)) {
    return await rejectBatch('that was there before');
  }
  const change: Partial<Submission> = { state: 'created', batchId: batch.id, requestId, batch };
  try {
    const created = await registry.adopt(submission.id, batch, requestId);
    if ('conflict' in created) {
      return await rejectBatch('that is the batch of another submission');
    }
    log.info(
      `Created batch ${batch.id} with ${submission.requestCount} requests on ${submission.origin} (request ${requestId ?? 'without id'})`,
    );
    return { kind: 'created', submission: created, batch };
  } catch (unsaved) {
    log.error(`Batch ${batch.id} was created, but its record could not be saved`, unsaved);
    // Tries again without the lock shared by all windows. If this fails too, this window keeps the batch in memory.
    const written = await registry.update(submission.id, change).catch(() => undefined);
    return written === undefined
      ? { kind: 'created', submission: { ...submission, ...change }, batch, unsaved }
      : { kind: 'created', submission: written, batch };
  }
}

/** Returns the ids of batches that existed before the last byte of a submission was sent. The submission created none of them. */
function knownBatches({ registry, listedBatches }: SubmitDependencies, submission: Submission): ReadonlySet<string | undefined> {
  // Includes batches of all services, because the address of a connection can change. IDs are unique.
  const ofOthers = registry
    .all()
    .flatMap(({ batchId, search }) => [batchId, ...(search?.candidates.map(candidate => candidate.batchId) ?? [])]);
  return new Set([...ofOthers, ...(listedBatches?.(submission.connection) ?? [])]);
}

async function settleFailure(
  { registry, log }: SubmitDependencies,
  submission: Submission,
  error: unknown,
  /** `undefined` if a batch may have been created. */
  reason: FailureReason | undefined,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  const problem = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ServiceError ? error.requestId : undefined;
  const change: Partial<Submission> = {
    state: reason === undefined ? 'unknown' : 'failed',
    problem,
    requestId,
    ...(reason === undefined && signal.aborted ? { cancelWanted: true } : {}),
  };
  log.error(`Submission ${submission.id} is ${change.state}`, error);
  let settled: Submission = { ...submission, ...change };
  try {
    settled = await registry.update(submission.id, change);
  } catch (unsaved) {
    // The record on disk stays `sending`. Every window treats this state as `unknown`.
    log.error(`The outcome of submission ${submission.id} could not be saved`, unsaved);
  }
  if (reason === undefined) {
    return { kind: 'unknown', submission: settled, error };
  }
  await rm(join(registry.folder(submission.id), submissionFiles.editorCopy), { force: true });
  return { kind: 'failed', submission: settled, reason, error };
}

/**
 * Returns the reason why no batch can have been created, or `undefined` if a batch may exist. Until the last byte was sent, the body can't
 * become a batch. Any response then means `incomplete`, even a gateway's page, 429 or 503. After that, the client's `errorOutcome` decides.
 */
function failureReason(error: unknown, body: CountedBody, signal: AbortSignal): FailureReason | undefined {
  if (error instanceof ServiceError && error.outcome === 'refused') {
    return 'refused';
  }
  const incomplete = !body.isHandedOut();
  if (incomplete && isCausedBy(error, SourceChangedError.name)) {
    return 'source_changed';
  }
  const notSent = error instanceof ServiceError && error.outcome === 'not_sent';
  const isStopped = signal.aborted || isCausedBy(error, StopWantedError.name);
  if (isStopped && (notSent || incomplete)) {
    return 'canceled';
  }
  if (notSent) {
    return 'not_sent';
  }
  // A body without its end has neither its announced length nor valid JSON, so no batch can be created from it.
  return incomplete ? 'incomplete' : undefined;
}

/** Returns whether an error or one of its causes has a name. Errors from a thread lose their class. */
function isCausedBy(error: unknown, name: string): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if (current.name === name) {
      return true;
    }
  }
  return false;
}

/** Returns a part that records that the user stopped the group. After a stop, no other part may be sent. */
function stoppedBy({ group }: Submission, others: readonly Submission[]): Submission | undefined {
  return group && others.find(other => other.stopWanted === true && other.group?.id === group.id);
}

/** Thrown if the user stops the group before the last byte of this part is sent. */
class StopWantedError extends Error {
  override readonly name = 'StopWantedError';
}

/**
 * Records that the service may create a batch from now on. Rejects if the user stopped the group, or another window assumed that this
 * window had ended.
 */
async function noteHandedOut({ registry }: SubmitDependencies, { id }: Submission, hold: SendingHold, begunAt: string): Promise<void> {
  const steps = [{ what: 'uploading', at: begunAt }] as const;
  const onlyIf = ({ state, stopWanted }: Submission) => {
    if (stopWanted === true) {
      throw new StopWantedError('Sending was stopped before the upload finished.');
    }
    return state === 'sending';
  };
  await registry.update(id, { handedOut: true }, { steps, onlyIf });
  // The process may have been suspended during that write for so long that the user sent the file again elsewhere.
  if (!(await hold.isHeld())) {
    throw new SubmissionMovedOnError(`Another window took over submission ${id}, because this one did not respond.`);
  }
}

/** A body that awaits `beforeLast` before it hands the last byte to the connection. */
class CountedBody implements StreamedBody {
  readonly byteLength: number;
  private handedOut = 0;

  constructor(
    private readonly body: StreamedBody,
    private readonly beforeLast: (begunAt: string) => Promise<void>,
  ) {
    this.byteLength = body.byteLength;
  }

  /** Returns whether the last byte was handed to the connection, or may have been. */
  isHandedOut(): boolean {
    return this.handedOut >= this.byteLength;
  }

  async *open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const begunAt = new Date().toISOString();
    for await (const chunk of this.body.open(signal)) {
      if (!this.isHandedOut() && this.handedOut + chunk.byteLength >= this.byteLength) {
        await this.beforeLast(begunAt);
        signal.throwIfAborted();
      }
      this.handedOut += chunk.byteLength;
      yield chunk;
    }
  }
}
