import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';

/** Fields of every record. Times are in milliseconds since 1970. */
export const recordShape = {
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  createdAt: z.number(),
};

/** Fields of a record that can be changed and archived. */
export const archivableShape = {
  ...recordShape,
  metadata: z.record(z.string(), z.string()),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
};

interface StoredRecord {
  readonly id: string;
  readonly sequence: number;
  readonly archivedAt?: number | null;
}

/** Folder of the emulator's state, and its clock. */
export interface StoreContext {
  readonly folder: string;
  /** False if records are only in memory. */
  readonly isPersistent: boolean;
  readonly clock: EmulatorClock;
}

interface StoreTable<T> {
  /** Name of the folder within the state folder. */
  readonly folder: string;
  /** Name of one record in messages. */
  readonly noun: string;
  /** First part of new ids. */
  readonly prefix: string;
  readonly schema: z.ZodType<T>;
  /** For records that belong to a parent: the field with its id, and its store. */
  readonly parent?: { readonly field: keyof T; readonly store: { get(id: string): unknown } };
}

/** Fields that a store sets in a new record. Some kinds of records lack some of these fields. */
type Stamps = 'id' | 'sequence' | 'createdAt' | 'updatedAt' | 'archivedAt';

/**
 * Small records of one kind in the order of their creation, in memory and, if the state is persistent, as one JSON file each. A file is
 * replaced atomically. If a file can't be written, the call throws and the record stays unchanged.
 */
export class RecordStore<T extends StoredRecord> {
  /** Folder of the kind. It exists once the store is loaded. */
  protected readonly folder: string;
  readonly #records = new Map<string, T>();
  #sequence = 0;

  constructor(
    protected readonly context: StoreContext,
    private readonly table: StoreTable<T>,
  ) {
    this.folder = path.join(context.folder, table.folder);
  }

  /** Creates the folder and reads its records. An invalid file is skipped and logged with the names of the invalid fields. */
  async load(): Promise<this> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { noun, schema } = this.table;
    const found: T[] = [];
    for (const id of await this.savedIds()) {
      const text = readFile(this.fileOf(id), 'utf8');
      const parsed = schema.safeParse(await text.then(JSON.parse).catch(() => undefined));
      if (parsed.success) {
        found.push(parsed.data);
      } else {
        const fields = parsed.error.issues.map(issue => issue.path.join('.'));
        console.error(`${noun} ${id} could not be read${fields[0] === '' ? '' : `: ${fields.join(', ')}`}`);
      }
    }
    for (const record of found.sort((a, b) => a.sequence - b.sequence)) {
      this.#records.set(record.id, record);
      this.#sequence = record.sequence + 1;
    }
    return this;
  }

  protected async savedIds(): Promise<readonly string[]> {
    return (await readdir(this.folder)).flatMap(name => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** Returns all records, or the records of a parent, newest first. Throws the service's 404 for an unknown parent. */
  list(parent?: string): T[] {
    return [...this.#records.values()].filter(this.#isBelow(parent)).reverse();
  }

  find(id: string): T | undefined {
    return this.#records.get(id);
  }

  /** Returns the record. Throws the service's 404 if the record does not exist or belongs to another parent. */
  get(id: string, parent?: string): T {
    const isBelow = this.#isBelow(parent);
    const record = this.find(id);
    if (record === undefined || !isBelow(record)) {
      throw new ApiError('not_found_error', `${this.table.noun} not found: ${id}`);
    }
    return record;
  }

  /** Returns a record that can still be changed. Throws a 400 for an archived record. */
  active(id: string, change: string, parent?: string): T {
    const record = this.get(id, parent);
    if (isArchived(record)) {
      throw invalidRequest(`archived ${this.table.noun.toLowerCase()}s cannot be ${change}`);
    }
    return record;
  }

  /** Returns a record that others can use. Throws a 404 for a missing record, and a 400 about `field` for an archived one. */
  demandUsable(id: string, field: string): T {
    const record = this.get(id);
    if (isArchived(record)) {
      throw invalidRequest(`${field}: the ${this.table.noun.toLowerCase()} ${id} is archived`);
    }
    return record;
  }

  newId(): string {
    return this.table.prefix + randomId(24);
  }

  /** Adds a record with the current time. Sets only the stamps that its schema has. */
  add(fields: Omit<T, Stamps>, id = this.newId()): T {
    const now = this.context.clock.now();
    const stamps = { id, sequence: this.#sequence++, createdAt: now, updatedAt: now, archivedAt: null };
    return this.put(this.table.schema.parse({ ...stamps, ...fields }));
  }

  /** Replaces the fields of a record that are not undefined, and sets the time of its update. */
  change(record: T, fields: { readonly [K in keyof T]?: T[K] | undefined }): T {
    const changed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return this.put({ ...record, ...changed, updatedAt: this.context.clock.now() });
  }

  /** Archives a record permanently. Idempotent. */
  archive(id: string, parent?: string): T | Promise<T> {
    const record = this.get(id, parent);
    return isArchived(record) ? record : this.archived(record);
  }

  /** Archives a record that is not archived yet. */
  protected archived(record: T): T {
    return this.put({ ...record, archivedAt: this.context.clock.now() });
  }

  /** Adds or replaces a record. A record that was changed in place must be put again. */
  put(record: T): T {
    if (this.context.isPersistent) {
      const file = this.fileOf(record.id);
      writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    }
    this.#records.set(record.id, record);
    return record;
  }

  /** Deletes a record. Resolves when its file is deleted. */
  async delete(id: string): Promise<void> {
    this.#records.delete(id);
    await rm(this.fileOf(id), { force: true });
  }

  #isBelow(id: string | undefined): (record: T) => boolean {
    const { parent } = this.table;
    if (parent === undefined || id === undefined) {
      return () => true;
    }
    parent.store.get(id);
    return record => record[parent.field] === id;
  }

  protected fileOf(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }
}

function isArchived({ archivedAt = null }: StoredRecord): boolean {
  return archivedAt !== null;
}

/** Returns random letters and digits, as at the end of the service's ids. */
export function randomId(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(length), byte => letters[byte % letters.length]).join('');
}
