import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { ApiError } from '../http/apiError';

interface StoredRecord {
  readonly id: string;
  /** Position in the order of creation. */
  readonly sequence: number;
}

/**
 * Small records in the order of their creation, in memory and as one JSON file each in a folder. Without a folder, nothing is saved. The
 * last record put for an id is on disk when `flush` resolves. Files are replaced atomically.
 */
export class RecordStore<T extends StoredRecord> {
  readonly #folder: string | undefined;
  readonly #noun: string;
  readonly #records = new Map<string, T>();
  readonly #waiting = new Map<string, T>();
  readonly #writing = new Map<string, Promise<void>>();
  #sequence = 0;

  private constructor(folder: string | undefined, noun: string) {
    this.#folder = folder;
    this.#noun = noun;
  }

  /**
   * Opens a folder and reads its records. An invalid file is skipped and logged with the names of the invalid fields. `noun` names a record
   * in a 404.
   */
  static async open<T extends StoredRecord>(folder: string | undefined, schema: z.ZodType<T>, noun: string): Promise<RecordStore<T>> {
    const store = new RecordStore<T>(folder, noun);
    if (folder === undefined) {
      return store;
    }
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found: T[] = [];
    for (const name of (await readdir(folder)).filter(file => file.endsWith('.json'))) {
      const parsed = schema.safeParse(
        await readFile(path.join(folder, name), 'utf8')
          .then(JSON.parse)
          .catch(() => undefined),
      );
      if (parsed.success) {
        found.push(parsed.data);
      } else {
        const fields = parsed.error.issues.map(issue => issue.path.join('.'));
        console.error(`${noun} ${name} could not be read${fields[0] === '' ? '' : `: ${fields.join(', ')}`}`);
      }
    }
    for (const record of found.sort((a, b) => a.sequence - b.sequence)) {
      store.#records.set(record.id, record);
      store.#sequence = record.sequence + 1;
    }
    return store;
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** Returns all records, newest first. */
  list(): T[] {
    return [...this.#records.values()].reverse();
  }

  find(id: string): T | undefined {
    return this.#records.get(id);
  }

  /** Returns the record, or throws the service's 404. */
  get(id: string): T {
    const record = this.#records.get(id);
    if (record === undefined) {
      throw new ApiError('not_found_error', `${this.#noun} not found: ${id}`);
    }
    return record;
  }

  /** Returns the position of a new record. */
  nextSequence(): number {
    return this.#sequence++;
  }

  /** Adds or replaces a record. A record that was changed in place must be put again. It is written soon, in its state at that time. */
  put(record: T): T {
    const { id } = record;
    this.#records.set(id, record);
    if (this.#folder !== undefined) {
      this.#waiting.set(id, record);
      if (!this.#writing.has(id)) {
        const done = this.#write(id).finally(() => this.#writing.delete(id));
        this.#writing.set(id, done);
      }
    }
    return record;
  }

  /** Deletes a record. Resolves when its file is deleted. */
  async delete(id: string): Promise<void> {
    this.#records.delete(id);
    this.#waiting.delete(id);
    await this.#writing.get(id);
    if (this.#folder !== undefined) {
      await rm(this.#fileOf(id), { force: true });
    }
  }

  /** Resolves when everything that was put is on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(id: string): Promise<void> {
    // Several puts in the same tick are written once.
    await new Promise(resolve => setImmediate(resolve));
    for (let record = this.#waiting.get(id); record !== undefined; record = this.#waiting.get(id)) {
      this.#waiting.delete(id);
      const file = this.#fileOf(id);
      try {
        await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch (error) {
        console.error(`${this.#noun} ${id} could not be kept: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#folder ?? '', `${id}.json`);
  }
}
