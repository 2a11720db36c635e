import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { requestCountsSchema } from '../../contract/requestCounts';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError } from '../http/apiError';
import type { MessageService } from '../messages/messageService';
import type { Scenario } from '../scenarios';
import { randomId } from '../state/randomId';
import { BatchFiles } from './batchFiles';
import { writeResults } from './batchResults';
import { type CreateRules, takeRequests } from './takeRequests';

const day = 24 * 60 * 60 * 1000;
/** Time until a batch expires, in milliseconds. */
export const lifetime = day;
/** Time until results are deleted, in milliseconds. The default is that of the recorded service. */
const resultsLifetime = 29 * day;

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  total: z.number(),
  createdAt: z.number(),
  /** Time at which all of its requests are processed. */
  dueAt: z.number(),
  cancelInitiatedAt: z.number().nullable(),
  /** Time at which a cancelled batch ends. */
  cancelDueAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Time at which its results were deleted. */
  archivedAt: z.number().nullable(),
  counts: requestCountsSchema,
  resultsBytes: z.number(),
});
/** Batch as the emulator stores it. Times are in milliseconds since 1970. */
export type BatchRecord = Readonly<z.infer<typeof recordSchema>>;

interface Entry {
  record: BatchRecord;
  readonly files: BatchFiles;
  cancelAlarm: () => void;
  /** True while its results are being written. It ends in the state it had when that started. */
  finishing: boolean;
}

interface StateParts {
  readonly folder: string;
  readonly clock: EmulatorClock;
  readonly messages: MessageService;
  readonly scenario: () => Scenario;
}

/** Batches of the emulator on disk and their life cycle (contract: States and transitions; API facts: section 5). */
export class BatchState {
  readonly #entries = new Map<string, Entry>();
  readonly #parts: StateParts;
  readonly #stopping = new AbortController();
  #sequence = 0;

  private constructor(parts: StateParts) {
    this.#parts = parts;
  }

  /** Opens a folder with the batches of an earlier run. Unfinished ones continue. */
  static async open(parts: StateParts): Promise<BatchState> {
    const state = new BatchState(parts);
    await mkdir(state.#batchesFolder, { recursive: true });
    const entries: Entry[] = [];
    for (const name of await readdir(state.#batchesFolder)) {
      const files = new BatchFiles(path.join(state.#batchesFolder, name));
      const record = recordSchema.safeParse(await files.readRecord().catch(() => undefined));
      if (record.success) {
        entries.push({ record: record.data, files, cancelAlarm: () => undefined, finishing: false });
      } else {
        await files.remove();
      }
    }
    for (const entry of entries.sort((a, b) => a.record.sequence - b.record.sequence)) {
      state.#entries.set(entry.record.id, entry);
      state.#sequence = entry.record.sequence + 1;
      state.#setAlarm(entry);
    }
    return state;
  }

  /** Returns all batches, newest first. */
  list(): BatchRecord[] {
    return [...this.#entries.values()].map(entry => entry.record).reverse();
  }

  get(id: string): BatchRecord {
    return this.#entry(id).record;
  }

  /**
   * Returns file and size of the results of an ended batch. Throws the service's 400 before it has ended, and its 404 once it is archived.
   */
  results(id: string): { readonly file: string; readonly bytes: number } {
    const { record, files } = this.#entry(id);
    if (record.endedAt === null) {
      throw new ApiError('invalid_request_error', 'Message batch has not ended');
    }
    if (record.archivedAt !== null) {
      throw resultsGone();
    }
    return { file: files.results, bytes: record.resultsBytes };
  }

  /**
   * Reads a create body and creates the batch if the whole body is valid. Otherwise throws and leaves nothing behind. With `twice`, creates
   * a second batch from it, like a service that carries out one create twice.
   */
  async create(body: AsyncIterable<Buffer>, rules: CreateRules, twice = false): Promise<BatchRecord> {
    const files = this.#newFiles();
    const copy = twice ? this.#newFiles() : undefined;
    try {
      await files.make();
      const total = await takeRequests(body, files, rules);
      this.#stopping.signal.throwIfAborted();
      await copy?.takeInputOf(files);
      const record = await this.#add(files, total);
      if (copy !== undefined) {
        await this.#add(copy, total);
      }
      return record;
    } catch (error) {
      await Promise.all([files.remove(), copy?.remove()]);
      throw error;
    }
  }

  #newFiles(): BatchFiles {
    return new BatchFiles(path.join(this.#batchesFolder, `msgbatch_${randomId(24)}`));
  }

  async #add(files: BatchFiles, total: number): Promise<BatchRecord> {
    const createdAt = this.#parts.clock.now();
    const record: BatchRecord = {
      id: path.basename(files.folder),
      sequence: this.#sequence++,
      total,
      createdAt,
      dueAt: createdAt + this.#parts.scenario().batchDuration,
      cancelInitiatedAt: null,
      cancelDueAt: null,
      endedAt: null,
      archivedAt: null,
      counts: { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      resultsBytes: 0,
    };
    await files.writeRecord(record);
    const entry: Entry = { record, files, cancelAlarm: () => undefined, finishing: false };
    this.#entries.set(record.id, entry);
    this.#setAlarm(entry);
    return record;
  }

  /** Returns the emulator's time in milliseconds since 1970. */
  now(): number {
    return this.#parts.clock.now();
  }

  /** Requests cancellation. Does nothing if that was done before or the batch has ended. */
  async cancel(id: string): Promise<BatchRecord> {
    const entry = this.#entry(id);
    if (entry.record.endedAt === null && entry.record.cancelInitiatedAt === null) {
      const now = this.#parts.clock.now();
      const cancelDueAt = now + this.#parts.scenario().cancelDuration;
      entry.record = { ...entry.record, cancelInitiatedAt: now, cancelDueAt };
      this.#setAlarm(entry);
      await entry.files.writeRecord(entry.record);
    }
    return entry.record;
  }

  /** Deletes an ended batch. Throws the service's 409 before it has ended. */
  async delete(id: string): Promise<void> {
    const entry = this.#entry(id);
    if (entry.record.endedAt === null) {
      throw new ApiError('invalid_request_error', 'Message batch must be ended before deletion', { status: 409 });
    }
    this.#entries.delete(id);
    entry.cancelAlarm();
    await entry.files.remove();
  }

  /** Stops processing, which continues at the next start. The clock must have been stopped. */
  stop(): void {
    this.#stopping.abort();
  }

  get #batchesFolder(): string {
    return path.join(this.#parts.folder, 'batches');
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      throw new ApiError('not_found_error', `Message batch not found: ${id}`);
    }
    return entry;
  }

  #setAlarm(entry: Entry): void {
    const { record } = entry;
    entry.cancelAlarm();
    if (record.endedAt !== null && record.archivedAt === null) {
      entry.cancelAlarm = this.#parts.clock.at(record.createdAt + resultsLifetime, () => this.#archive(entry));
    }
    if (record.endedAt === null && !entry.finishing) {
      const time = Math.min(record.dueAt, record.createdAt + lifetime, record.cancelDueAt ?? Number.POSITIVE_INFINITY);
      entry.cancelAlarm = this.#parts.clock.at(time, () => this.#finish(entry));
    }
  }

  /** Processes the batch and ends it. If the disk fails, the batch stays in progress and is tried again at the next start. */
  async #finish(entry: Entry): Promise<void> {
    const { clock, messages, scenario } = this.#parts;
    const { erroredPercent, expiredPercent, cutShortPercent, answerLength } = scenario();
    const { record } = entry;
    entry.finishing = true;
    const shares = { erroredPercent, expiredPercent, cutShortPercent, answerLength };
    try {
      const plan = { batchId: record.id, total: record.total, ...progressOf(record), ...shares };
      const { counts, bytes } = await writeResults(entry.files, plan, messages, this.#stopping.signal);
      const ended = { ...entry.record, endedAt: clock.now(), counts, resultsBytes: bytes };
      await entry.files.writeRecord(ended);
      entry.record = ended;
      this.#setAlarm(entry);
      await entry.files.removeInput();
    } catch (error) {
      this.#report(`Batch ${record.id} could not be processed`, error);
    }
  }

  /** Deletes the results of an old batch. */
  async #archive(entry: Entry): Promise<void> {
    entry.record = { ...entry.record, archivedAt: this.#parts.clock.now() };
    try {
      await entry.files.writeRecord(entry.record);
      await entry.files.removeResults();
    } catch (error) {
      this.#report(`Batch ${entry.record.id} could not be archived`, error);
    }
  }

  #report(what: string, error: unknown): void {
    if (!this.#stopping.signal.aborted) {
      console.error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Returns the service's error for results that were deleted. */
export function resultsGone(): ApiError {
  return new ApiError('not_found_error', 'Message batch is archived; its results are no longer available');
}

/** Returns how many requests were processed when the batch ended, and the outcome of the others. */
export function progressOf(record: BatchRecord): { readonly done: number; readonly rest: 'canceled' | 'expired' } {
  const canceledAt = record.cancelInitiatedAt ?? Number.POSITIVE_INFINITY;
  const expiresAt = record.createdAt + lifetime;
  const stoppedAt = Math.min(canceledAt, expiresAt);
  if (record.dueAt <= stoppedAt) {
    return { done: record.total, rest: 'expired' };
  }
  const share = (stoppedAt - record.createdAt) / (record.dueAt - record.createdAt);
  // Requests in progress at the end are finished, later ones are not. Both cases occur in any batch of two or more.
  const done = Math.min(Math.max(Math.floor(record.total * share), 1), record.total - 1);
  return { done, rest: canceledAt < expiresAt ? 'canceled' : 'expired' };
}
