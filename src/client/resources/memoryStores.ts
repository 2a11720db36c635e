import {
  type Memory,
  type MemoryStore,
  type MemoryVersion,
  memoryListItemSchema,
  memorySchema,
  memoryStoreSchema,
  memoryVersionSchema,
} from '../schemas/memoryStores';
import type { Deleted } from '../schemas/sessions';
import type { CallResult, CallOptions, ListOptions, Page } from '../transport/callResult';
import type { Transport } from '../transport/transport';
import { type Crud, createCrud } from './crud';
import { callForPage, filterQuery } from './resource';

const group = 'memoryStores';

/** Parameters of a memory: its (new) `path`, and `content` of at most 102,400 bytes of UTF-8. */
export interface MemoryParams {
  readonly path?: string;
  readonly content?: string;
  /** Expected current content. If it differs, the service returns 409 and changes nothing. */
  readonly precondition?: { readonly type: 'content_sha256'; readonly content_sha256: string };
}

export type MemoryView = 'basic' | 'full';

/**
 * Memories of a store, listed by path. With `depth` 1, deeper ones are returned as folders whose id is their path. A path that is in use
 * causes a 409. Only the view `full` has contents, in a list at most 20 at a time.
 */
export interface Memories {
  create(params: MemoryParams & { readonly path: string; readonly content: string }, options?: CallOptions): Promise<CallResult<Memory>>;
  list(options?: ListOptions & { readonly pathPrefix?: string; readonly depth?: 0 | 1; readonly view?: MemoryView }): Promise<Page<Memory>>;
  retrieve(id: string, options?: CallOptions & { readonly view?: MemoryView }): Promise<CallResult<Memory>>;
  update(id: string, params: MemoryParams, options?: CallOptions): Promise<CallResult<Memory>>;
  /** Deletes a memory. If its content differs from `expectedSha256`, the service returns 409 and deletes nothing. */
  delete(id: string, options?: CallOptions & { readonly expectedSha256?: string }): Promise<CallResult<Deleted>>;
}

export interface MemoryVersionFilters {
  readonly memoryId?: string;
  readonly sessionId?: string;
  readonly operation?: string;
  readonly view?: MemoryView;
}

/** Past versions of the memories of a store, newest first. */
export interface MemoryVersions {
  list(options?: ListOptions & MemoryVersionFilters): Promise<Page<MemoryVersion>>;
  retrieve(id: string, options?: CallOptions & { readonly view?: MemoryView }): Promise<CallResult<MemoryVersion>>;
  /** Erases path, content and hash of a version for good. The service refuses it for a memory's current version. */
  redact(id: string, options?: CallOptions): Promise<CallResult<MemoryVersion>>;
}

/** Memory stores (API facts, section 15). An archived store is read-only. */
export interface MemoryStores extends Crud<MemoryStore, { readonly includeArchived?: boolean }> {
  memories(storeId: string): Memories;
  versions(storeId: string): MemoryVersions;
}

/** Replaces the memories in each subfolder of a prefix by one row for the subfolder: some services ignore `depth`. */
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

/** Creates the calls for memory stores, their memories and versions (API facts, section 15). */
export function createMemoryStores(transport: Transport): MemoryStores {
  const stores = createCrud(transport, {
    group,
    path: '/memory_stores',
    schema: memoryStoreSchema,
    type: 'memory_store',
    filters: { includeArchived: 'include_archived' },
  });
  return {
    ...stores,
    memories: storeId => {
      const path = stores.below(storeId, '/memories');
      const within = { memory_store_id: storeId };
      return {
        ...createCrud(transport, {
          group,
          path,
          schema: memorySchema,
          type: 'memory',
          within,
          unanswered: ['content', 'precondition'],
          readFilters: { view: 'view' },
          deleteFilters: { expectedSha256: 'expected_content_sha256' },
        }),
        list: async options => {
          const { pathPrefix, depth, view } = options ?? {};
          const query = filterQuery({ path_prefix: pathPrefix, depth, view });
          const page = await callForPage(transport, memoryListItemSchema, { group, path, query, about: { within } }, options);
          return depth === 1 ? { ...page, items: toFolders(page.items, pathPrefix) } : page;
        },
      };
    },
    versions: storeId => {
      const versions = createCrud(transport, {
        group,
        path: stores.below(storeId, '/memory_versions'),
        schema: memoryVersionSchema,
        type: 'memory_version',
        within: { memory_store_id: storeId },
        filters: { memoryId: 'memory_id', sessionId: 'session_id', operation: 'operation', view: 'view' },
        readFilters: { view: 'view' },
      });
      return { ...versions, redact: async (id, options) => versions.act(id, 'redact', {}, options) };
    },
  };
}
