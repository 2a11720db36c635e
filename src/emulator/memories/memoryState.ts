import path from 'node:path';
import type * as z from 'zod';
import { patched } from '../agents/agentState';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';
import {
  type createMemorySchema,
  type createStoreSchema,
  type MemoryRecord,
  memoryRecordSchema,
  type StoreRecord,
  sha256,
  storeRecordSchema,
  type updateMemorySchema,
  type updateStoreSchema,
  type VersionRecord,
  versionRecordSchema,
  type WireActor,
} from './memoryRecords';

/** Owner of the emulator's key. */
export const keyOwner: WireActor = { type: 'api_actor', api_key_id: 'apikey_emulator' };

interface Records {
  readonly stores: RecordStore<StoreRecord>;
  readonly memories: RecordStore<MemoryRecord>;
  readonly versions: RecordStore<VersionRecord>;
}

/** Memory stores, their memories and versions (API facts, section 15). Every write creates a version. */
export class MemoryState {
  readonly #records: Records;
  readonly #clock: Pick<EmulatorClock, 'now'>;

  private constructor(clock: Pick<EmulatorClock, 'now'>, records: Records) {
    this.#clock = clock;
    this.#records = records;
  }

  static async open(parts: { readonly folder: string | undefined; readonly clock: Pick<EmulatorClock, 'now'> }): Promise<MemoryState> {
    const folder = (name: string) => (parts.folder === undefined ? undefined : path.join(parts.folder, name));
    return new MemoryState(parts.clock, {
      stores: await RecordStore.open<StoreRecord>(folder('memory-stores'), storeRecordSchema, 'Memory store'),
      memories: await RecordStore.open<MemoryRecord>(folder('memories'), memoryRecordSchema, 'Memory'),
      versions: await RecordStore.open<VersionRecord>(folder('memory-versions'), versionRecordSchema, 'Memory version'),
    });
  }

  get isEmpty(): boolean {
    return this.#records.stores.isEmpty;
  }

  /** Returns all stores, newest first. */
  listStores(): StoreRecord[] {
    return this.#records.stores.list();
  }

  getStore(id: string): StoreRecord {
    return this.#records.stores.get(id);
  }

  /** Returns a store that a session can use. Throws a 404 if it is missing, and a 400 if it is archived. */
  demandUsable(id: string, field: string): { readonly name: string; readonly description: string } {
    const { name, description, archivedAt } = this.getStore(id);
    if (archivedAt !== null) {
      throw invalidRequest(`${field}: the memory store ${id} is archived`);
    }
    return { name, description: description ?? '' };
  }

  createStore(params: z.infer<typeof createStoreSchema>): StoreRecord {
    const { stores } = this.#records;
    const now = this.#clock.now();
    return stores.put({
      id: `memstore_${randomId(24)}`,
      sequence: stores.nextSequence(),
      name: params.name,
      description: params.description ?? '',
      metadata: params.metadata ?? {},
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    });
  }

  updateStore(id: string, params: z.infer<typeof updateStoreSchema>): StoreRecord {
    const old = this.#open(id);
    return this.#records.stores.put({
      ...old,
      name: params.name ?? old.name,
      description: params.description === undefined ? old.description : (params.description ?? ''),
      metadata: patched(old.metadata, params.metadata ?? {}),
      updatedAt: this.#clock.now(),
    });
  }

  archiveStore(id: string): StoreRecord {
    const record = this.getStore(id);
    return record.archivedAt === null ? this.#records.stores.put({ ...record, archivedAt: this.#clock.now() }) : record;
  }

  /** Deletes a store with all its contents. */
  async deleteStore(id: string): Promise<void> {
    const { stores, memories, versions } = this.#records;
    this.getStore(id);
    const gone = [this.list(id).map(memory => memories.delete(memory.id)), this.listVersions(id).map(one => versions.delete(one.id))];
    await Promise.all([stores.delete(id), ...gone.flat()]);
  }

  /** Returns the memories of a store, sorted by path. */
  list(storeId: string): MemoryRecord[] {
    this.getStore(storeId);
    const found = this.#records.memories.list().filter(memory => memory.storeId === storeId);
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(storeId: string, id: string): MemoryRecord {
    this.getStore(storeId);
    const found = this.#records.memories.get(id);
    if (found.storeId !== storeId) {
      throw new ApiError('not_found_error', `Memory not found: ${id}`);
    }
    return found;
  }

  create(storeId: string, params: z.infer<typeof createMemorySchema>, by: WireActor): MemoryRecord {
    const { memories } = this.#records;
    this.#open(storeId);
    this.#demandFree(storeId, params.path);
    const now = this.#clock.now();
    const id = `mem_${randomId(24)}`;
    const content = params.content ?? '';
    const versionId = this.#addVersion({ storeId, id, path: params.path, content }, 'created', by);
    return memories.put({
      id,
      sequence: memories.nextSequence(),
      storeId,
      path: params.path,
      content,
      versionId,
      createdAt: now,
      updatedAt: now,
    });
  }

  /** Changes path or content. An update without a change creates no version. */
  update(storeId: string, id: string, params: z.infer<typeof updateMemorySchema>, by: WireActor): MemoryRecord {
    this.#open(storeId);
    const old = this.get(storeId, id);
    demandContent(old, params.precondition?.content_sha256);
    const changed = { ...old, path: params.path ?? old.path, content: params.content ?? old.content };
    if (changed.path !== old.path) {
      this.#demandFree(storeId, changed.path);
    }
    if (changed.path === old.path && changed.content === old.content) {
      return old;
    }
    const versionId = this.#addVersion(changed, 'modified', by);
    return this.#records.memories.put({ ...changed, versionId, updatedAt: this.#clock.now() });
  }

  async delete(storeId: string, id: string, expected: string | undefined, by: WireActor): Promise<void> {
    this.#open(storeId);
    const old = this.get(storeId, id);
    demandContent(old, expected);
    this.#addVersion({ ...old, content: null }, 'deleted', by);
    await this.#records.memories.delete(id);
  }

  /** Returns the versions, newest first. */
  listVersions(storeId: string): VersionRecord[] {
    this.getStore(storeId);
    return this.#records.versions.list().filter(version => version.storeId === storeId);
  }

  getVersion(storeId: string, id: string): VersionRecord {
    this.getStore(storeId);
    const found = this.#records.versions.get(id);
    if (found.storeId !== storeId) {
      throw new ApiError('not_found_error', `Memory version not found: ${id}`);
    }
    return found;
  }

  /** Erases a version. Throws for the current version of a memory. */
  redact(storeId: string, id: string, by: WireActor): VersionRecord {
    const version = this.getVersion(storeId, id);
    if (this.#records.memories.find(version.memoryId)?.versionId === id) {
      throw invalidRequest('The current version of a memory cannot be redacted');
    }
    return version.redactedAt === null
      ? this.#records.versions.put({ ...version, path: null, content: null, redactedAt: this.#clock.now(), redactedBy: by })
      : version;
  }

  async flush(): Promise<void> {
    const { stores, memories, versions } = this.#records;
    await Promise.all([stores.flush(), memories.flush(), versions.flush()]);
  }

  /** Returns a store that can be written to. Throws the service's 400 otherwise. */
  #open(id: string): StoreRecord {
    const store = this.getStore(id);
    if (store.archivedAt !== null) {
      throw invalidRequest('Memory store is archived');
    }
    return store;
  }

  #demandFree(storeId: string, wanted: string): void {
    const taken = this.list(storeId).find(memory => memory.path === wanted);
    if (taken !== undefined) {
      throw new ApiError('memory_path_conflict_error', 'Memory path conflicts with existing memory', {
        status: 409,
        fields: { conflicting_memory_id: taken.id, conflicting_path: taken.path },
      });
    }
  }

  #addVersion(
    memory: Pick<MemoryRecord, 'storeId' | 'id' | 'path'> & { readonly content: string | null },
    operation: VersionRecord['operation'],
    createdBy: WireActor,
  ): string {
    const { versions } = this.#records;
    const { storeId, id: memoryId, path, content } = memory;
    return versions.put({
      id: `memver_${randomId(24)}`,
      sequence: versions.nextSequence(),
      storeId,
      memoryId,
      operation,
      path,
      content,
      createdBy,
      createdAt: this.#clock.now(),
      redactedAt: null,
      redactedBy: null,
    }).id;
  }
}

function demandContent({ content }: MemoryRecord, expected: string | undefined): void {
  if (expected !== undefined && expected !== sha256(content)) {
    throw new ApiError('memory_precondition_failed_error', 'Memory precondition failed', { status: 409 });
  }
}
