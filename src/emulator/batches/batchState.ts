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
/** Milliseconds after which a batch expires. */
export const lifetime = day;
/** How long results are kept: what the recorded service does when nothing else is set. */
const resultsLifetime = 29 * day;

const recordSchema = z.object({
  id: z.string(),
  /** Place in the order of creation. */
  sequence: z.number(),
  total: z.number(),
  createdAt: z.number(),
  /** When all of its requests will have been processed. */
  dueAt: z.number(),
  cancelInitiatedAt: z.number().nullable(),
  /** When a canceled batch ends. */
  cancelDueAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** When its results were thrown away. */
  archivedAt: z.number().nullable(),
  counts: requestCountsSchema,
  resultsBytes: z.number(),
});
/** A batch as the emulator keeps it; times in milliseconds since 1970. */
export type BatchRecord = Readonly<z.infer<typeof recordSchema>>;

interface Entry {
  record: BatchRecord;
  readonly files: BatchFiles;
  cancelAlarm: () => void;
  /** Its results are being written: it ends as it stood when that began. */
  finishing: boolean;
}

interface StateParts {
  readonly folder: string;
  readonly clock: EmulatorClock;
  readonly messages: MessageService;
  readonly scenario: () => Scenario;
}

/** The batches the emulator holds, on disk, and their life cycle (contract, States and transitions; API facts, section 5). */
export class BatchState {
  readonly #entries = new Map<string, Entry>();
  readonly #parts: StateParts;
  readonly #stopping = new AbortController();
  #sequence = 0;

  private constructor(parts: StateParts) {
    this.#parts = parts;
  }

  /** Opens a folder with whatever batches an earlier run left in it; those that were under way go on. */
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

  /** Newest first. */
  list(): BatchRecord[] {
    return [...this.#entries.values()].map(entry => entry.record).reverse();
  }

  get(id: string): BatchRecord {
    return this.#entry(id).record;
  }

  /** File and size of the results of an ended batch. Throws the service's 400 before it has ended, its 404 once it is archived. */
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
   * Takes a create body and makes the batch when the whole of it is right; otherwise throws and leaves nothing behind. With
   * `twice` a second batch is made of it, as by a service that carries one create out twice.
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

  /** Milliseconds since 1970 by the emulator's clock. */
  now(): number {
    return this.#parts.clock.now();
  }

  /** Asks for cancellation. Again, or of an ended batch: nothing changes. */
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

  /** Forgets an ended batch. Throws the service's 409 before it has ended. */
  async delete(id: string): Promise<void> {
    const entry = this.#entry(id);
    if (entry.record.endedAt === null) {
      throw new ApiError('invalid_request_error', 'Message batch must be ended before deletion', { status: 409 });
    }
    this.#entries.delete(id);
    entry.cancelAlarm();
    await entry.files.remove();
  }

  /** Stops processing; what was under way goes on at the next start. The clock must have been stopped. */
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

  /** Processes the batch and ends it. A disk that fails leaves the batch in progress; it is tried again at the next start. */
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

  /** Throws the results of an old batch away. */
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

/** The service's answer to who asks for results that were thrown away. */
export function resultsGone(): ApiError {
  return new ApiError('not_found_error', 'Message batch is archived; its results are no longer available');
}

/** How many requests were processed when the batch ended, and what becomes of the others. */
export function progressOf(record: BatchRecord): { readonly done: number; readonly rest: 'canceled' | 'expired' } {
  const canceledAt = record.cancelInitiatedAt ?? Number.POSITIVE_INFINITY;
  const expiresAt = record.createdAt + lifetime;
  const stoppedAt = Math.min(canceledAt, expiresAt);
  if (record.dueAt <= stoppedAt) {
    return { done: record.total, rest: 'expired' };
  }
  const share = (stoppedAt - record.createdAt) / (record.dueAt - record.createdAt);
  // What is under way when the end comes is finished, what comes last is not: both are to be seen in any batch of two or more.
  const done = Math.min(Math.max(Math.floor(record.total * share), 1), record.total - 1);
  return { done, rest: canceledAt < expiresAt ? 'canceled' : 'expired' };
}
