import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type MemoryPathProblem, maxMemoryBytes, memoryPathProblem } from '../../contract/memoryPath';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import { choiceOf, createdNames, cursorPage, limitOf, refuseUnknownNames } from '../http/listQuery';
import type { Exchange } from '../http/serverExchange';
import { metadataPatchSchema, metadataSchema, patched, toWire } from '../http/toWire';
import { archivableShape, RecordStore, recordShape, type StoreContext } from '../state/recordStore';

const createStoreSchema = z.object({
  name: z.string().min(1).max(255),
  description: z.string().max(1024).nullish(),
  metadata: metadataSchema.optional(),
});
const updateStoreSchema = createStoreSchema.extend({
  name: createStoreSchema.shape.name.nullish(),
  metadata: metadataPatchSchema.optional(),
});

const pathProblems: Readonly<Record<MemoryPathProblem, string>> = {
  start: 'must begin with /',
  empty: 'must name a memory',
  long: 'must have at most 1024 bytes',
  characters: 'must have no control characters and no line separators',
  segments: 'must have no empty segments and none that are . or ..',
  form: 'must be in Unicode normalization form C',
};
const pathSchema = z.string().superRefine((path, context) => {
  const problem = memoryPathProblem(path);
  if (problem !== undefined) {
    context.addIssue(pathProblems[problem]);
  }
});
const contentSchema = z
  .string()
  .refine(text => Buffer.byteLength(text) <= maxMemoryBytes, { error: `must have at most ${maxMemoryBytes} bytes` });
const createMemorySchema = z.object({ path: pathSchema, content: contentSchema.nullable() });
const updateMemorySchema = z.object({
  path: pathSchema.nullish(),
  content: contentSchema.nullish(),
  precondition: z.object({ type: z.literal('content_sha256'), content_sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
});

const actorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_actor'), session_id: z.string() }),
  z.object({ type: z.literal('api_actor'), api_key_id: z.string() }),
]);
type WireActor = z.infer<typeof actorSchema>;

const storeRecordSchema = z.object({ ...archivableShape, name: z.string(), description: z.string() });
export type StoreRecord = Readonly<z.infer<typeof storeRecordSchema>>;

const memoryRecordSchema = z.object({
  ...recordShape,
  storeId: z.string(),
  path: z.string(),
  content: z.string(),
  versionId: z.string(),
  updatedAt: z.number(),
});
type MemoryRecord = Readonly<z.infer<typeof memoryRecordSchema>>;

const versionRecordSchema = z.object({
  ...recordShape,
  storeId: z.string(),
  memoryId: z.string(),
  operation: z.enum(['created', 'modified', 'deleted']),
  /** Path and content are null once the version is redacted. The content of a deletion is always null. */
  path: z.string().nullable(),
  content: z.string().nullable(),
  createdBy: actorSchema,
  redactedAt: z.number().nullable(),
  redactedBy: actorSchema.nullable(),
});
type VersionRecord = Readonly<z.infer<typeof versionRecordSchema>>;

/** Converts a memory to its response form. Only the full view has its content. */
export function toMemory({ storeId, versionId, ...record }: MemoryRecord, isFull: boolean): object {
  const parts = { memory_store_id: storeId, memory_version_id: versionId };
  return toWire('memory', record, { ...parts, ...contentFields(record.content, isFull) });
}

/** Converts a version to its response form. Only the full view has its content. */
function toVersion({ storeId, redactedBy, ...record }: VersionRecord, isFull: boolean): object {
  return toWire('memory_version', record, {
    memory_store_id: storeId,
    ...contentFields(record.content, isFull),
    ...(redactedBy === null ? {} : { redacted_by: redactedBy }),
  });
}

function contentFields(content: string | null, isFull: boolean): object {
  return {
    content: isFull ? content : null,
    content_size_bytes: content === null ? null : Buffer.byteLength(content),
    content_sha256: content === null ? null : sha256(content),
  };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const keyOwner: WireActor = { type: 'api_actor', api_key_id: 'apikey_emulator' };

/** Memory stores, their memories and versions (API facts, section 15). Every write creates a version. */
export class MemoryStores extends RecordStore<StoreRecord> {
  readonly memories: RecordStore<MemoryRecord>;
  readonly versions: RecordStore<VersionRecord>;

  constructor(context: StoreContext) {
    super(context, { folder: 'memory-stores', noun: 'Memory store', prefix: 'memstore_', schema: storeRecordSchema });
    const parent = { field: 'storeId', store: this } as const;
    this.memories = new RecordStore(context, { folder: 'memories', noun: 'Memory', prefix: 'mem_', schema: memoryRecordSchema, parent });
    this.versions = new RecordStore(context, {
      folder: 'memory-versions',
      noun: 'Memory version',
      prefix: 'memver_',
      schema: versionRecordSchema,
      parent,
    });
  }

  override async load(): Promise<this> {
    await Promise.all([super.load(), this.memories.load(), this.versions.load()]);
    return this;
  }

  create({ name, description, metadata = {} }: z.infer<typeof createStoreSchema>): StoreRecord {
    return this.add({ name, description: description ?? '', metadata });
  }

  update(id: string, params: z.infer<typeof updateStoreSchema>): StoreRecord {
    const old = this.#open(id);
    return this.change(old, {
      name: params.name ?? undefined,
      description: params.description === null ? '' : params.description,
      metadata: patched(old.metadata, params.metadata),
    });
  }

  override async delete(id: string): Promise<void> {
    const { memories, versions } = this;
    const gone = [memories.list(id).map(memory => memories.delete(memory.id)), versions.list(id).map(one => versions.delete(one.id))];
    await Promise.all([super.delete(id), ...gone.flat()]);
  }

  /** Returns the memories of a store, sorted by path. */
  listMemories(storeId: string): MemoryRecord[] {
    return this.memories.list(storeId).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  createMemory(storeId: string, params: z.infer<typeof createMemorySchema>, by = keyOwner): MemoryRecord {
    this.#open(storeId);
    this.#demandFree(storeId, params.path);
    const id = this.memories.newId();
    const fields = { storeId, path: params.path, content: params.content ?? '' };
    return this.memories.add({ ...fields, versionId: this.#addVersion({ id, ...fields }, 'created', by) }, id);
  }

  /** Changes path or content. An update without a change creates no version. */
  updateMemory(storeId: string, id: string, params: z.infer<typeof updateMemorySchema>, by = keyOwner): MemoryRecord {
    this.#open(storeId);
    const old = this.memories.get(id, storeId);
    demandContent(old, params.precondition?.content_sha256);
    const changed = { ...old, path: params.path ?? old.path, content: params.content ?? old.content };
    if (changed.path !== old.path) {
      this.#demandFree(storeId, changed.path);
    }
    if (changed.path === old.path && changed.content === old.content) {
      return old;
    }
    return this.memories.change(changed, { versionId: this.#addVersion(changed, 'modified', by) });
  }

  async deleteMemory(storeId: string, id: string, expected: string | undefined): Promise<void> {
    this.#open(storeId);
    const old = this.memories.get(id, storeId);
    demandContent(old, expected);
    this.#addVersion({ ...old, content: null }, 'deleted', keyOwner);
    await this.memories.delete(id);
  }

  /** Erases a version. Throws for the current version of a memory. */
  redact(storeId: string, id: string): VersionRecord {
    const version = this.versions.get(id, storeId);
    if (this.memories.find(version.memoryId)?.versionId === id) {
      throw invalidRequest('The current version of a memory cannot be redacted');
    }
    const erased = { path: null, content: null, redactedAt: this.context.clock.now(), redactedBy: keyOwner };
    return version.redactedAt === null ? this.versions.put({ ...version, ...erased }) : version;
  }

  /** Returns a store. Throws the service's 400 for an archived store. */
  #open(id: string): StoreRecord {
    const store = this.get(id);
    if (store.archivedAt !== null) {
      throw invalidRequest('Memory store is archived');
    }
    return store;
  }

  #demandFree(storeId: string, wanted: string): void {
    const taken = this.memories.list(storeId).find(memory => memory.path === wanted);
    if (taken !== undefined) {
      throw new ApiError('memory_path_conflict_error', 'Memory path conflicts with existing memory', {
        status: 409,
        fields: { conflicting_memory_id: taken.id, conflicting_path: taken.path },
      });
    }
  }

  #addVersion(
    { storeId, id: memoryId, path, content }: Pick<MemoryRecord, 'storeId' | 'id' | 'path'> & { readonly content: string | null },
    operation: VersionRecord['operation'],
    createdBy: WireActor,
  ): string {
    return this.versions.add({ storeId, memoryId, operation, path, content, createdBy, redactedAt: null, redactedBy: null }).id;
  }
}

function demandContent({ content }: MemoryRecord, expected: string | undefined): void {
  if (expected !== undefined && expected !== sha256(content)) {
    throw new ApiError('memory_precondition_failed_error', 'Memory precondition failed', { status: 409 });
  }
}

const path = '/v1/memory_stores';
const limits = { normal: 20, most: 100 };
/** Maximum number of items on a page with contents. */
const maxFull = 20;

export function memoryStoreRoutes(stores: MemoryStores): readonly Route[] {
  return [
    ...kindRoutes({
      name: 'memoryStores',
      path,
      type: 'memory_store',
      members: stores,
      limits,
      filters: ['include_archived', ...createdNames],
      create: async exchange => stores.create(await exchange.parsed(createStoreSchema)),
      update: async (exchange, id) => stores.update(id, await exchange.parsed(updateStoreSchema)),
    }),
    ...kindRoutes({
      name: 'memoryStores.memories',
      path: `${path}/:id/memories`,
      type: 'memory',
      members: stores.memories,
      show: (memory, { query }, isAlone) => toMemory(memory, isFullView(query, isAlone)),
      create: async (exchange, storeId) => stores.createMemory(storeId, await exchange.parsed(createMemorySchema)),
      update: async (exchange, id, storeId) => stores.updateMemory(storeId, id, await exchange.parsed(updateMemorySchema)),
      acts: {
        list: (exchange, _, storeId) => listMemories(exchange, stores.listMemories(storeId)),
        delete: async ({ query }, id, storeId) => {
          const expected = query.get('expected_content_sha256') ?? undefined;
          if (expected !== undefined && !/^[0-9a-f]{64}$/.test(expected)) {
            throw invalidRequest('expected_content_sha256: must be 64 hexadecimal digits');
          }
          await stores.deleteMemory(storeId, id, expected);
          return { id, type: 'memory_deleted' };
        },
      },
    }),
    ...kindRoutes({
      name: 'memoryStores.versions',
      path: `${path}/:id/memory_versions`,
      type: 'memory_version',
      members: stores.versions,
      show: (version, { query }, isAlone) => toVersion(version, isFullView(query, isAlone)),
      limits,
      filters: ['memory_id', 'session_id', 'api_key_id', 'operation', 'view', 'created_at[gte]', 'created_at[lte]'],
      passes: ({ query }) => {
        const operation = choiceOf(query, 'operation', ['created', 'modified', 'deleted']);
        const isMatch = (name: string, value: string) => (query.get(name) ?? value) === value;
        return version =>
          isMatch('memory_id', version.memoryId) &&
          isMatch('session_id', version.createdBy.type === 'session_actor' ? version.createdBy.session_id : '') &&
          isMatch('api_key_id', version.createdBy.type === 'api_actor' ? version.createdBy.api_key_id : '') &&
          (operation === undefined || version.operation === operation);
      },
      acts: { redact: (_, id, storeId) => toVersion(stores.redact(storeId, id), false) },
    }),
  ];
}

/** Returns a page of the memories below the prefix, sorted by path. With a depth of 1, deeper memories are replaced by their folder. */
function listMemories({ query, dialect }: Exchange, memories: readonly MemoryRecord[]): object {
  if (dialect === 'contract') {
    refuseUnknownNames(query, ['path_prefix', 'depth', 'view']);
  }
  const prefix = query.get('path_prefix') ?? '/';
  if (!prefix.startsWith('/') || !prefix.endsWith('/')) {
    throw invalidRequest('path_prefix: must begin and end with /');
  }
  const isFull = isFullView(query, false);
  const isShallow = choiceOf(query, 'depth', ['0', '1']) === '1';
  const rows = new Map<string, { readonly id: string; readonly row: object }>();
  for (const memory of memories.filter(one => one.path.startsWith(prefix))) {
    const end = isShallow ? memory.path.indexOf('/', prefix.length) : -1;
    const folder = memory.path.slice(0, end + 1);
    const id = end < 0 ? memory.id : folder;
    rows.set(id, { id, row: end < 0 ? toMemory(memory, isFull) : { type: 'memory_prefix', path: folder } });
  }
  const limit = limitOf(query, limits);
  const page = cursorPage([...rows.values()], query, { limit: isFull ? Math.min(limit, maxFull) : limit });
  return { ...page, data: page.data.map(({ row }) => row) };
}

function isFullView(query: URLSearchParams, byDefault: boolean): boolean {
  const view = choiceOf(query, 'view', ['basic', 'full']);
  return view === undefined ? byDefault : view === 'full';
}

const preferences = `# How we work

- Answer in English, with short sentences.
- Amounts are in euros, dates as 2026-05-31.
- Ask before you change a file outside of \`src/\`.
`;

const glossary = `# Words of the house

batch: requests that are answered together, within a day
session: one run of an agent, with its log
`;

/** Adds a sample store if there is none, with a folder and a memory that has two versions to compare. */
export function addMemorySamples(stores: MemoryStores): void {
  if (!stores.isEmpty) {
    return;
  }
  const { id } = stores.create({ name: 'Team Notes', description: 'What the agents of the emulator know of the team.' });
  const first = stores.createMemory(id, { path: '/preferences.md', content: preferences.replace('in euros', 'in dollars') });
  stores.updateMemory(id, first.id, { content: preferences });
  stores.createMemory(id, { path: '/project/glossary.md', content: glossary });
  stores.createMemory(id, { path: '/project/decisions/2026-05.md', content: '# May\n\nThe parser stays; the cache goes.\n' });
}
