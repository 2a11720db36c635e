import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { StreamedBody } from '../../../client/answer';
import { ServiceError } from '../../../client/errors';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Clock } from '../../../common/clock';
import type { BatchFileReport } from '../../../jsonl/batchFileReport';
import { type JsonlJobs, SourceChangedError } from '../../../jsonl/jobs';
import type { Submission } from '../ledger/submission';
import { submissionFiles } from '../ledger/submissionFile';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

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
  /** Earlier submissions of the same content that the user knows of and wants to repeat. */
  readonly knownBefore: ReadonlySet<string>;
}

export interface SubmitDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'requestBody'>;
  readonly clock: Clock;
  readonly log: { info(message: string): void; error(message: string, error?: unknown): void };
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
  const { report, client } = request;
  const submission: Submission = {
    id: request.submissionId,
    connection: request.connection,
    origin: new URL(client.baseUrl).origin,
    source: request.source,
    ...(request.fromEditor ? { fromEditor: true } : {}),
    fileBytes: report.fileBytes,
    sha256: report.sha256,
    requestCount: report.requestCount,
    bodyBytes: report.bodyBytes,
    models: report.models.slice(0, mostModels),
    state: 'sending',
    startedAt: new Date(clock.now()).toISOString(),
  };
  const begun = await registry.begin(submission, other => isRepeat(submission, other) && !request.knownBefore.has(other.id));
  if ('conflict' in begun) {
    return { kind: 'conflict', other: begun.conflict };
  }
  try {
    return await send(deps, request, submission, options);
  } finally {
    await begun.release();
  }
}

/** Whether `other` sent the same bytes to the same connection and may have made a batch of them that still is. */
export function isRepeat(
  submission: Pick<Submission, 'sha256' | 'connection'>,
  other: Pick<Submission, 'sha256' | 'connection' | 'state' | 'deleted'>,
): boolean {
  const maybeThere = other.state === 'sending' || other.state === 'unknown' || other.state === 'created';
  return maybeThere && other.deleted !== true && other.sha256 === submission.sha256 && other.connection === submission.connection;
}

async function send(
  deps: SubmitDependencies,
  request: SubmitRequest,
  submission: Submission,
  { signal, onProgress }: SubmitOptions,
): Promise<SubmitOutcome> {
  const { registry, log } = deps;
  const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
  const body = countHandedOut(deps.jobs.requestBody({ path: request.path, report: request.report, linesPath }));
  let batch: MessageBatch;
  let requestId: string | undefined;
  try {
    const answer = await request.client.batches.create(body, { signal, onProgress });
    batch = answer.data;
    requestId = answer.requestId;
  } catch (error) {
    return await settleFailure(deps, submission, error, body, signal);
  }
  const change: Partial<Submission> = { state: 'created', batchId: batch.id, requestId, batch };
  log.info(
    `Created batch ${batch.id} with ${submission.requestCount} requests on ${submission.origin} (request ${requestId ?? 'without id'})`,
  );
  try {
    return { kind: 'created', submission: await registry.update(submission.id, change), batch };
  } catch (unsaved) {
    log.error(`Batch ${batch.id} was created and could not be written down`, unsaved);
    return { kind: 'created', submission: { ...submission, ...change }, batch, unsaved };
  }
}

async function settleFailure(
  { registry, log }: SubmitDependencies,
  submission: Submission,
  error: unknown,
  body: CountedBody,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  const reason = failureReason(error, body, signal);
  const problem = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof ServiceError ? error.requestId : undefined;
  const change: Partial<Submission> = { state: reason === undefined ? 'unknown' : 'failed', problem, requestId };
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
  await rm(path.join(registry.folder(submission.id), submissionFiles.editorCopy), { force: true });
  return { kind: 'failed', submission: settled, reason, error };
}

/** Why nothing can have been created; undefined when something can. */
function failureReason(error: unknown, body: CountedBody, signal: AbortSignal): FailureReason | undefined {
  if (error instanceof ServiceError && error.outcome === 'refused') {
    return 'refused';
  }
  const incomplete = !body.isHandedOut();
  if (incomplete && isSourceChange(error)) {
    return 'source_changed';
  }
  const notSent = error instanceof ServiceError && error.outcome === 'not_sent';
  if (signal.aborted && (notSent || incomplete)) {
    return 'canceled';
  }
  if (notSent) {
    return 'not_sent';
  }
  // A body that lacks its end is neither a whole message of its announced length nor JSON: no batch can come of it.
  return incomplete ? 'incomplete' : undefined;
}

function isSourceChange(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth++) {
    if (current instanceof SourceChangedError || current.name === 'SourceChangedError') {
      return true;
    }
  }
  return false;
}

interface CountedBody extends StreamedBody {
  /** Whether the last byte was handed to the connection, or may have been. */
  isHandedOut(): boolean;
}

function countHandedOut(body: StreamedBody): CountedBody {
  let handedOut = 0;
  return {
    byteLength: body.byteLength,
    isHandedOut: () => handedOut >= body.byteLength,
    async *open(signal) {
      for await (const chunk of body.open(signal)) {
        handedOut += chunk.byteLength;
        yield chunk;
      }
    },
  };
}
