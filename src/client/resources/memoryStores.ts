import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import type { CallOptions, ListOptions } from '../transport/callResult';
import { changeableFields, identity, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { type ArchiveFilter, createCrud } from './crud';
import { callForPage, filterQuery } from './resource';

/** Store of memories that sessions read and write (API facts, section 15). Only `id` is required. */
const memoryStoreSchema = z.looseObject({
  ...identity('memory_store'),
  ...optionalTexts('name', 'description'),
  ...changeableFields,
});
export type MemoryStore = z.infer<typeof memoryStoreSchema>;

/** Text at a path of a store (API facts, section 15). Only `id` is required. */
const memorySchema = z.looseObject({
  id: z.string().min(1),
  /** `memory`, or `memory_prefix` for a folder in a list. */
  type: z.string().default('memory'),
  ...optionalTexts('memory_store_id', 'created_at', 'updated_at'),
  /** Path that starts with `/`. The path of a folder also ends with `/`. */
  path: z.string().nullish(),
  /** Null unless the requested view is `full`. */
  content: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  /** SHA-256 of the content in hexadecimal digits. */
  content_sha256: z.string().nullish(),
  /** Id of the current version. */
  memory_version_id: z.string().nullish(),
});
export type Memory = z.infer<typeof memorySchema>;

/** Row of a list of memories. A folder has no id in the response, so its path is used as id. */
const memoryListItemSchema = z.preprocess(
  row => (isRecord(row) && row.type === 'memory_prefix' && typeof row.path === 'string' ? { id: row.path, ...row } : row),
  memorySchema,
);

/** Actor: a session, an API key or a user. Any other `type` is accepted. */
export const actorSchema = z.looseObject(optionalTexts('type', 'session_id', 'api_key_id', 'user_id'));
export type Actor = z.infer<typeof actorSchema>;

/** State of a memory after one write, or its deletion (API facts, section 15). Only `id` is required. */
const memoryVersionSchema = z.looseObject({
  ...identity('memory_version'),
  ...optionalTexts('memory_store_id', 'memory_id', 'content', 'content_sha256', 'created_at', 'redacted_at'),
  /** `created`, `modified`, `deleted` or any other string. */
  operation: z.string().nullish(),
  /** Path, content, size and hash are null if the version is redacted. */
  path: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  created_by: actorSchema.nullish(),
  redacted_by: actorSchema.nullish(),
});
export type MemoryVersion = z.infer<typeof memoryVersionSchema>;

const group = 'memoryStores';

/** Parameters of a memory: its (new) `path`, and `content` of at most 102,400 bytes of UTF-8. */
interface MemoryParams {
  readonly path?: string;
  readonly content?: string;
  /** Expected current content. If the content differs, the service returns 409 and changes nothing. */
  readonly precondition?: { readonly type: 'content_sha256'; readonly content_sha256: string };
}

interface ViewOption {
  readonly view?: 'basic' | 'full';
}

interface MemoryFilters extends ViewOption {
  readonly pathPrefix?: string;
  readonly depth?: 0 | 1;
}

interface MemoryVersionFilters extends ViewOption {
  readonly memoryId?: string;
  readonly sessionId?: string;
  readonly operation?: string;
}

/** Replaces the memories of each subfolder of a prefix by one row for the subfolder. Needed because some services ignore `depth`. */
function toFolders(memories: readonly Memory[], prefix = '/'): readonly Memory[] {
  const rows = new Map<string, Memory>();
  for (const memory of memories) {
    const { path = '' } = memory;
    const end = path?.startsWith(prefix) === true ? path.indexOf('/', prefix.length) : -1;
    const folder = end < 0 ? undefined : path?.slice(0, end + 1);
    const row = folder === undefined ? memory : { id: folder, type: 'memory_prefix', path: folder };
    if (!rows.has(row.id)) {
      rows.set(row.id, row);
    }
  }
  return [...rows.values()];
}

/** Creates the calls for memory stores, their memories and versions (API facts, section 15). An archived store is read-only. */
export function createMemoryStores(transport: Transport) {
  const { calls: stores, below } = createCrud<typeof memoryStoreSchema, ArchiveFilter>(transport, {
    group,
    path: '/memory_stores',
    schema: memoryStoreSchema,
    type: 'memory_store',
    filters: { includeArchived: 'include_archived' },
  });
  return {
    ...stores,
    /**
     * Memories of a store, listed by path. With `depth` 1, deeper memories are returned as folders whose id is their path. A path that is
     * in use causes a 409. Only the view `full` has contents. A list with contents has at most 20 memories per page.
     */
    memories: (storeId: string) => {
      const path = below(storeId, '/memories');
      const within = { memory_store_id: storeId };
      const { archive: _, ...memories } = createCrud(transport, {
        group,
        path,
        schema: memorySchema,
        type: 'memory',
        within,
        unanswered: ['content', 'precondition'],
        readFilters: { view: 'view' },
        deleteFilters: { expectedSha256: 'expected_content_sha256' },
      }).calls;
      return {
        ...memories,
        create: (params: MemoryParams & { readonly path: string; readonly content: string }, options?: CallOptions) =>
          memories.create(params, options),
        retrieve: (id: string, options?: CallOptions & ViewOption) => memories.retrieve(id, options),
        update: (id: string, params: MemoryParams, options?: CallOptions) => memories.update(id, params, options),
        /** Deletes a memory. If its content differs from `expectedSha256`, the service returns 409 and deletes nothing. */
        delete: (id: string, options?: CallOptions & { readonly expectedSha256?: string }) => memories.delete(id, options),
        list: async (options?: ListOptions & MemoryFilters) => {
          const { pathPrefix, depth, view } = options ?? {};
          const query = filterQuery({ path_prefix: pathPrefix, depth, view });
          const page = await callForPage(transport, memoryListItemSchema, { group, path, query, about: { within } }, options);
          return depth === 1 ? { ...page, items: toFolders(page.items, pathPrefix) } : page;
        },
      };
    },
    /** Past versions of the memories of a store, newest first. */
    versions: (storeId: string) => {
      const { calls, act } = createCrud<typeof memoryVersionSchema, MemoryVersionFilters>(transport, {
        group,
        path: below(storeId, '/memory_versions'),
        schema: memoryVersionSchema,
        type: 'memory_version',
        within: { memory_store_id: storeId },
        filters: { memoryId: 'memory_id', sessionId: 'session_id', operation: 'operation', view: 'view' },
        readFilters: { view: 'view' },
      });
      return {
        list: calls.list,
        retrieve: (id: string, options?: CallOptions & ViewOption) => calls.retrieve(id, options),
        /** Erases path, content and hash of a version for good. The service refuses to redact a memory's current version. */
        redact: (id: string, options?: CallOptions) => act(id, 'redact', {}, options),
      };
    },
  };
}
