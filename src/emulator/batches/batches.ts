import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Dialect } from '../../client/dialect';
import { requestCountsSchema } from '../../contract/requestCounts';
import { ApiError } from '../http/apiError';
import { creditObjectBeta, hasBeta, userProfileOf } from '../http/guard';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import type { Envelope } from '../http/listQuery';
import type { Exchange } from '../http/serverExchange';
import { toTimeOrNull } from '../http/toWire';
import type { MessageService } from '../messages/messageService';
import type { Scenario } from '../scenarios';
import { RecordStore, recordShape, type StoreContext } from '../state/recordStore';
import { type BatchFiles, writeResults } from './batchResults';
import { type CreateRules, countRequests } from './readRequests';

const day = 24 * 60 * 60 * 1000;
/** Time until a batch expires, in milliseconds. */
export const lifetime = day;
/** Time until results are deleted, in milliseconds. The default is the lifetime on the recorded service. */
const resultsLifetime = 29 * day;

const recordSchema = z.object({
  ...recordShape,
  total: z.number(),
  /** Time at which all requests of the batch are processed. */
  dueAt: z.number(),
  cancelInitiatedAt: z.number().nullable(),
  /** Time at which a cancelled batch ends. */
  cancelDueAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Time at which the results were deleted. */
  archivedAt: z.number().nullable(),
  counts: requestCountsSchema,
  resultsBytes: z.number(),
});
/** Batch as the emulator stores it. Times are in milliseconds since 1970. */
type BatchRecord = Readonly<z.infer<typeof recordSchema>>;

interface BatchParts {
  readonly messages: MessageService;
  readonly scenario: () => Scenario;
}

/**
 * Batches of the emulator and their life cycle (contract: States and transitions; API facts: section 5). Each has a folder with its record
 * and its requests or results.
 */
export class Batches extends RecordStore<BatchRecord> {
  readonly #stopping = new AbortController();
  /** Functions that cancel the alarm of a batch. */
  readonly #alarms = new Map<string, () => void>();
  /** Batches whose results are being written. Later changes do not affect the outcome of such a batch. */
  readonly #finishing = new Set<string>();

  constructor(
    context: StoreContext,
    private readonly parts: BatchParts,
  ) {
    super(context, { folder: 'batches', noun: 'Message batch', prefix: 'msgbatch_', schema: recordSchema });
  }

  /** Reads the batches of an earlier run. Unfinished batches continue. */
  override async load(): Promise<this> {
    await super.load();
    for (const record of this.list()) {
      this.#setAlarm(record);
    }
    return this;
  }

  /** Removes folders without a record, because they never became batches. */
  protected override async savedIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const id of await readdir(this.folder)) {
      if (existsSync(this.fileOf(id))) {
        ids.push(id);
      } else {
        await this.#removeFolder(id);
      }
    }
    return ids;
  }

  protected override fileOf(id: string): string {
    return path.join(this.folder, id, 'batch.json');
  }

  /**
   * Returns file and size of the results of an ended batch. Throws the service's 400 for a running batch, and the service's 404 for an
   * archived batch.
   */
  results(id: string): { readonly file: string; readonly bytes: number } {
    const { endedAt, archivedAt, resultsBytes } = this.get(id);
    if (endedAt === null) {
      throw new ApiError('invalid_request_error', 'Message batch has not ended');
    }
    if (archivedAt !== null) {
      throw resultsGone();
    }
    return { file: this.#filesOf(id).results, bytes: resultsBytes };
  }

  /**
   * Creates a batch from a create body if the whole body is valid. Otherwise throws and leaves nothing behind. With `twice`, creates a
   * second batch from the same body, like a service that carries out one create twice.
   */
  async create(body: Buffer, rules: CreateRules, twice = false): Promise<BatchRecord> {
    const total = countRequests(body, rules);
    const ids = twice ? [this.newId(), this.newId()] : [this.newId()];
    try {
      await Promise.all(ids.map(id => mkdir(path.join(this.folder, id))));
      await Promise.all(ids.map(id => writeFile(this.#filesOf(id).body, body)));
      this.#stopping.signal.throwIfAborted();
      const counts = { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
      const none = { cancelInitiatedAt: null, cancelDueAt: null, endedAt: null, resultsBytes: 0 };
      const dueAt = this.now() + this.parts.scenario().batchDuration;
      const records = ids.map(id => this.add({ total, dueAt, counts, ...none }, id)) as [BatchRecord, ...BatchRecord[]];
      for (const record of records) {
        this.#setAlarm(record);
      }
      return records[0];
    } catch (error) {
      await Promise.all(ids.map(id => this.#remove(id)));
      throw error;
    }
  }

  now(): number {
    return this.context.clock.now();
  }

  /** Requests cancellation. Does nothing if the batch has ended or is already being cancelled. */
  cancel(id: string): BatchRecord {
    const old = this.get(id);
    if (old.endedAt !== null || old.cancelInitiatedAt !== null) {
      return old;
    }
    const now = this.now();
    const record = this.put({ ...old, cancelInitiatedAt: now, cancelDueAt: now + this.parts.scenario().cancelDuration });
    this.#setAlarm(record);
    return record;
  }

  /** Deletes an ended batch. Throws the service's 409 for a running batch. */
  override async delete(id: string): Promise<void> {
    if (this.get(id).endedAt === null) {
      throw new ApiError('invalid_request_error', 'Message batch must be ended before deletion', { status: 409 });
    }
    await this.#remove(id);
  }

  async #remove(id: string): Promise<void> {
    this.#cancelAlarm(id);
    await super.delete(id);
    await this.#removeFolder(id);
  }

  #removeFolder(id: string): Promise<void> {
    return rm(path.join(this.folder, id), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Stops processing, which continues at the next start. The clock must have been stopped. */
  stop(): void {
    this.#stopping.abort();
  }

  #filesOf(id: string): BatchFiles {
    return { body: path.join(this.folder, id, 'body.json'), results: path.join(this.folder, id, 'results.jsonl') };
  }

  #cancelAlarm(id: string): void {
    this.#alarms.get(id)?.();
    this.#alarms.delete(id);
  }

  #setAlarm({ id, createdAt, dueAt, cancelDueAt, endedAt, archivedAt }: BatchRecord): void {
    const { clock } = this.context;
    this.#cancelAlarm(id);
    if (endedAt !== null && archivedAt === null) {
      const cancel = clock.at(createdAt + resultsLifetime, () => this.#deleteResults(id));
      this.#alarms.set(id, cancel);
    }
    if (endedAt === null && !this.#finishing.has(id)) {
      const time = Math.min(dueAt, createdAt + lifetime, cancelDueAt ?? Number.POSITIVE_INFINITY);
      const cancel = clock.at(time, () => this.#finish(id));
      this.#alarms.set(id, cancel);
    }
  }

  /** Processes the batch and ends it. If the disk fails, the batch stays in progress and is tried again at the next start. */
  async #finish(id: string): Promise<void> {
    const { messages, scenario } = this.parts;
    const record = this.get(id);
    const files = this.#filesOf(id);
    this.#finishing.add(id);
    try {
      const plan = { batchId: id, ...progressOf(record), scenario: scenario() };
      const { counts, bytes } = await writeResults(files, plan, messages, this.#stopping.signal);
      this.#setAlarm(this.put({ ...this.get(id), endedAt: this.now(), counts, resultsBytes: bytes }));
      await rm(files.body, { force: true });
    } catch (error) {
      this.#report(`Batch ${id} could not be processed`, error);
    }
  }

  async #deleteResults(id: string): Promise<void> {
    try {
      this.put({ ...this.get(id), archivedAt: this.now() });
      await rm(this.#filesOf(id).results, { force: true });
    } catch (error) {
      this.#report(`Batch ${id} could not be archived`, error);
    }
  }

  #report(what: string, error: unknown): void {
    if (!this.#stopping.signal.aborted) {
      console.error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function resultsGone(): ApiError {
  return new ApiError('not_found_error', 'Message batch is archived; its results are no longer available');
}

/** Returns the number of requests processed by the end of the batch, and the outcome of the remaining requests. */
function progressOf(record: BatchRecord): { readonly done: number; readonly rest: 'canceled' | 'expired' } {
  const canceledAt = record.cancelInitiatedAt ?? Number.POSITIVE_INFINITY;
  const expiresAt = record.createdAt + lifetime;
  const stoppedAt = Math.min(canceledAt, expiresAt);
  if (record.dueAt <= stoppedAt) {
    return { done: record.total, rest: 'expired' };
  }
  const share = (stoppedAt - record.createdAt) / (record.dueAt - record.createdAt);
  // Requests in progress at the end are finished. Requests that have not started are not. Both cases occur in any batch of two or more.
  const done = Math.min(Math.max(Math.floor(record.total * share), 1), record.total - 1);
  return { done, rest: canceledAt < expiresAt ? 'canceled' : 'expired' };
}

const largestBody = 256 * 1024 * 1024;

interface BatchRouteParts {
  readonly dialect: Dialect;
  readonly batches: Batches;
  readonly envelope: () => Envelope;
  readonly resultsUrl: (id: string) => string;
}

export function batchRoutes({ dialect, batches, envelope, resultsUrl }: BatchRouteParts): readonly Route[] {
  const path = '/v1/messages/batches';
  const show = (record: BatchRecord, exchange: Exchange) => toMessageBatch(record, exchange, resultsUrl);
  return [
    ...kindRoutes({
      name: 'batches',
      path,
      type: 'message_batch',
      members: batches,
      envelope,
      show,
      create: async exchange => {
        const twice = exchange.faults.content.has('duplicateCreate');
        const rules: CreateRules = {
          userProfileId: userProfileOf(exchange, dialect),
          refusesStream: dialect.name !== 'contract',
          takesCreditObject: hasBeta(exchange, dialect, creditObjectBeta),
        };
        return batches.create(await exchange.bytes(largestBody), rules, twice);
      },
      passes: ({ faults: { content } }) => {
        const slow = content.get('slowListing');
        const youngest = slow === undefined ? Number.POSITIVE_INFINITY : batches.now() - (slow.seconds ?? 60) * 1000;
        return ({ createdAt }) => createdAt <= youngest;
      },
      acts: { cancel: async (exchange, id) => show(batches.cancel(id), exchange) },
    }),
    {
      ...routesBelow('batches', path)('GET', 'results', '/:id/results', (exchange, id) => sendResults(exchange, batches.results(id))),
      // `results_url` has no `?beta=true`, and the vendor's SDK requests it unchanged.
      beta: undefined,
    },
  ];
}

/** Converts a batch to its response form. All fields are always present (contract, Message batch). */
function toMessageBatch(record: BatchRecord, { faults: { content } }: Exchange, resultsUrl: (id: string) => string): object {
  const skew = content.get('clockSkew');
  const skewMs = skew === undefined ? 0 : (skew.seconds ?? 3600) * 1000;
  const timeOf = (time: number | null) => toTimeOrNull(time === null ? null : time + skewMs);
  const ended = record.endedAt !== null;
  const isArchived = record.archivedAt !== null || (ended && content.has('archived'));
  return {
    id: record.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : record.cancelInitiatedAt === null ? 'in_progress' : 'canceling',
    request_counts: record.counts,
    created_at: timeOf(record.createdAt),
    expires_at: timeOf(record.createdAt + lifetime),
    ended_at: timeOf(record.endedAt),
    cancel_initiated_at: timeOf(record.cancelInitiatedAt),
    archived_at: timeOf(ended && content.has('archived') ? record.endedAt : record.archivedAt),
    results_url: ended && !isArchived ? resultsUrl(record.id) : null,
  };
}

async function sendResults(exchange: Exchange, results: { readonly file: string; readonly bytes: number }): Promise<void> {
  const { content } = exchange.faults;
  const headers = { 'content-type': 'application/x-jsonl' };
  if (content.has('archived')) {
    throw resultsGone();
  }
  if (content.has('truncatedResults')) {
    // The middle of a short file can be the end of a line. The position two bytes before the end of the file is always inside a line.
    const half = Math.floor(results.bytes / 2);
    await exchange.sendFile(results.file, half > 512 ? half : Math.max(0, results.bytes - 2), headers);
  } else if (content.has('missingResults')) {
    const lines = (await readFile(results.file, 'utf8')).split(/(?<=\n)/).slice(content.get('missingResults')?.count ?? 1);
    await exchange.send(200, headers, Buffer.from(lines.join('')));
  } else if (content.has('resumableResults')) {
    const { mtimeMs } = await stat(results.file);
    const etag = `"${results.bytes}-${Math.floor(mtimeMs)}"`;
    const { range = '', 'if-range': known } = exchange.request.headers;
    const from = known === etag ? Number(/^bytes=(\d{1,15})-$/.exec(range)?.[1] ?? 0) : 0;
    await exchange.sendFile(results.file, results.bytes, { ...headers, etag, 'accept-ranges': 'bytes' }, from < results.bytes ? from : 0);
  } else {
    await exchange.sendFile(results.file, results.bytes, headers);
  }
}
