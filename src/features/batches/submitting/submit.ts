import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
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

/** A checked file and where it goes. */
export interface SubmitRequest {
  /** Id of the submission to be, prepared in the registry when a copy of the editor's text stands there. */
  readonly submissionId: string;
  readonly connection: string;
  readonly client: ServiceClient;
  /** URI string of the file. */
  readonly source: string;
  /** Where the bytes are that were checked. */
  readonly path: string;
  readonly fromEditor: boolean;
  readonly report: BatchFileReport;
  /** With this only these of its requests, and why these. */
  readonly selection?: { readonly purpose: Selection['purpose']; readonly requests: SelectedRequests };
  readonly group?: GroupPart;
  /** Of all that is sent. A group has it at its first part. */
  readonly estimate?: readonly ModelEstimate[];
  /** The run that this one follows; without it the run from whose results the file was made, if it was. */
  readonly follows?: Follows;
  /** Earlier submissions of the same content that the user knows of and wants to repeat. */
  readonly knownBefore: ReadonlySet<string>;
}

export interface SubmitDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'requestBody'>;
  readonly clock: Clock;
  readonly log: { info(message: string): void; error(message: string, error?: unknown): void };
  /** Ids of the batches of a connection that are listed in this window. */
  readonly listedBatches?: ((connection: string) => readonly string[]) | undefined;
}

export interface SubmitOptions {
  readonly signal: AbortSignal;
  /** Bytes of the body that left so far. */
  readonly onProgress?: (sentBytes: number) => void;
}

/** Why the service did not create a batch: it said so, it was never asked to the end, or the file changed on the way. */
export type FailureReason = 'refused' | 'not_sent' | 'incomplete' | 'canceled' | 'source_changed';

/** How a submit ended. */
export type SubmitOutcome =
  | {
      readonly kind: 'created';
      readonly submission: Submission;
      readonly batch: MessageBatch;
      /** Set when this machine could not write the batch down. */
      readonly unsaved?: unknown;
    }
  /** The service has created nothing. */
  | { readonly kind: 'failed'; readonly submission: Submission; readonly reason: FailureReason; readonly error: unknown }
  /** Everything was sent and no verdict came back. */
  | { readonly kind: 'unknown'; readonly submission: Submission; readonly error: unknown }
  /** Nothing was done: the same content is being sent, or was sent meanwhile, by another window. */
  | { readonly kind: 'conflict'; readonly other: Submission };

/** Models that are written down of a file. */
const mostModels = 100;

/**
 * Submits a checked file as one batch, once. The submission is on disk before the request leaves, and its end before this
 * settles. Whatever happens, no second request is made. Rejects only when the submission could not be written down, with
 * nothing sent.
 */
export async function submit(deps: SubmitDependencies, request: SubmitRequest, options: SubmitOptions): Promise<SubmitOutcome> {
  const { registry, clock } = deps;
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
    models: sent.models.slice(0, mostModels),
    ...(selection && {
      selection: { ...toSelection({ purpose: selection.purpose, lines: selection.requests.lines }), total: report.requestCount },
    }),
    ...(group && { group }),
    ...(request.estimate && (group?.index ?? 0) === 0 && { estimate: request.estimate.slice(0, mostModels) }),
    ...(follows && { follows }),
    state: 'sending',
    handedOut: false,
    startedAt: new Date(clock.now()).toISOString(),
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
  let known: ReadonlySet<string> = new Set();
  const body = new CountedBody(bytes, async begunAt => {
    known = knownBatches(deps, submission);
    await noteHandedOut(deps, submission, hold, begunAt);
  });
  let batch: MessageBatch;
  let requestId: string | undefined;
  try {
    const answer = await request.client.batches.create(body, { signal, onProgress, requestCount: submission.requestCount });
    batch = answer.data;
    requestId = answer.requestId;
  } catch (error) {
    return await settleFailure(deps, submission, error, failureReason(error, body, signal), signal);
  }
  const notOurs = (why: string) =>
    settleFailure(deps, submission, new Error(`${submission.origin} answered with batch ${batch.id} ${why}`), undefined, signal);
  if (!body.isHandedOut()) {
    // Whoever answers that cannot have had the whole of it.
    return await notOurs('before the whole body had left');
  }
  if (known.has(batch.id)) {
    return await notOurs('that was there before');
  }
  const change: Partial<Submission> = { state: 'created', batchId: batch.id, requestId, batch };
  try {
    const created = await registry.adopt(submission.id, batch, requestId);
    if ('conflict' in created) {
      return await notOurs('that is the batch of another submission');
    }
    log.info(
      `Created batch ${batch.id} with ${submission.requestCount} requests on ${submission.origin} (request ${requestId ?? 'without id'})`,
    );
    return { kind: 'created', submission: created, batch };
  } catch (unsaved) {
    log.error(`Batch ${batch.id} was created and could not be written down`, unsaved);
    // The record can still be written without the lock of all windows. If not, this window goes on with the batch in memory.
    const written = await registry.update(submission.id, change).catch(() => undefined);
    return written === undefined
      ? { kind: 'created', submission: { ...submission, ...change }, batch, unsaved }
      : { kind: 'created', submission: written, batch };
  }
}

/** Returns the ids of batches that existed before the last byte of a submission left. None of them can come from it. */
function knownBatches({ registry, listedBatches }: SubmitDependencies, submission: Submission): ReadonlySet<string> {
  // Batches of all services: the address of a connection can change, and ids are unique.
  const ofOthers = registry
    .all()
    .flatMap(({ batchId, search }) => [
      ...(batchId === undefined ? [] : [batchId]),
      ...(search?.candidates.map(candidate => candidate.batchId) ?? []),
    ]);
  return new Set([...ofOthers, ...(listedBatches?.(submission.connection) ?? [])]);
}

async function settleFailure(
  { registry, log }: SubmitDependencies,
  submission: Submission,
  error: unknown,
  /** Undefined when a batch can have been made. */
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
    // Without this it is `sending` on disk, which any window treats as `unknown`.
    log.error(`The end of submission ${submission.id} could not be written down`, unsaved);
  }
  if (reason === undefined) {
    return { kind: 'unknown', submission: settled, error };
  }
  await rm(join(registry.folder(submission.id), submissionFiles.editorCopy), { force: true });
  return { kind: 'failed', submission: settled, reason, error };
}

/**
 * Returns why nothing can have been created, or `undefined` if something can. Until the last byte has left, no batch can come from the
 * body, whatever the response is: a gateway's page, 429 or 503 then means `incomplete`. After that `errorOutcome` of the client decides.
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
  // A body that lacks its end is neither a whole message of its announced length nor JSON: no batch can come of it.
  return incomplete ? 'incomplete' : undefined;
}

/** By name, for errors lose their class on the way from a thread. */
function isCausedBy(error: unknown, name: string): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if (current.name === name) {
      return true;
    }
  }
  return false;
}

/** What keeps a part from being begun: a part of its group that says that no more of it is to be sent. */
function stoppedBy({ group }: Submission, others: readonly Submission[]): Submission | undefined {
  return group && others.find(other => other.stopWanted === true && other.group?.id === group.id);
}

/** The user wants no more of the group to be sent, and said so before the last byte of this part left. */
class StopWantedError extends Error {
  override readonly name = 'StopWantedError';
}

/** Writes down that a batch can come of a submission from now on. Rejects when another window has taken this one for dead. */
async function noteHandedOut({ registry }: SubmitDependencies, { id }: Submission, hold: SendingHold, begunAt: string): Promise<void> {
  const steps = [{ what: 'uploading', at: begunAt }] as const;
  const onlyIf = ({ state, stopWanted }: Submission) => {
    if (stopWanted === true) {
      throw new StopWantedError('Sending was stopped before the last byte left.');
    }
    return state === 'sending';
  };
  await registry.update(id, { handedOut: true }, { steps, onlyIf });
  // This process can have stood still behind that write, for as long as it takes the user to send the file again elsewhere.
  if (!(await hold.isHeld())) {
    throw new SubmissionMovedOnError(`Another window has taken the one that sends submission ${id} for dead.`);
  }
}

/** A body that calls `beforeLast`, and waits for it, before its last byte is handed to the connection. */
class CountedBody implements StreamedBody {
  readonly byteLength: number;
  private handedOut = 0;

  constructor(
    private readonly body: StreamedBody,
    private readonly beforeLast: (begunAt: string) => Promise<void>,
  ) {
    this.byteLength = body.byteLength;
  }

  /** Whether the last byte was handed to the connection, or may have been. */
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
