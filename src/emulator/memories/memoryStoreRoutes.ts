import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { kindRoutes, unlessArchived } from '../http/kindRoutes';
import { choiceOf, createdFilter, createdNames, limitOf, refuseUnknownNames } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { cursorPage } from '../http/paging';
import {
  createMemorySchema,
  createStoreSchema,
  type MemoryRecord,
  toMemory,
  toStore,
  toVersion,
  updateMemorySchema,
  updateStoreSchema,
} from './memoryRecords';
import { keyOwner, type MemoryState } from './memoryState';

const path = '/v1/memory_stores';
const group = 'memoryStores';
const limits = { normal: 20, most: 100 };
/** Maximum number of items on a page with contents. */
const mostFull = 20;
const largestBody = 1024 * 1024;

/**
 * Returns the routes of `/v1/memory_stores` and the paths below it (API facts, section 15). `strict` refuses unknown filters, as the
 * contract does.
 */
export function memoryStoreRoutes(memories: MemoryState, strict: boolean): readonly Route[] {
  const table = {
    group,
    path,
    limits,
    filters: ['include_archived', ...createdNames],
    create: (body: unknown) => toStore(memories.createStore(checkBody(createStoreSchema, body))),
    list: (query: URLSearchParams) => {
      const isCreated = createdFilter(query);
      return unlessArchived(query, memories.listStores())
        .filter(({ createdAt }) => isCreated(createdAt))
        .map(toStore);
    },
    retrieve: (id: string) => toStore(memories.getStore(id)),
    update: (id: string, body: unknown) => toStore(memories.updateStore(id, checkBody(updateStoreSchema, body))),
    archive: (id: string) => toStore(memories.archiveStore(id)),
    delete: async (id: string) => {
      await memories.deleteStore(id);
      return 'memory_store_deleted';
    },
  } as const;
  return [...kindRoutes(table, strict), ...memoryRoutes(memories, strict), ...versionRoutes(memories, strict)];
}

function memoryRoutes(memories: MemoryState, strict: boolean): readonly Route[] {
  const route = routesBelow('memoryStores.memories', `${path}/:id/memories`, group);
  return [
    route('GET', 'list', '', async (exchange, storeId) => {
      const { query } = exchange;
      if (strict) {
        refuseUnknownNames(query, ['path_prefix', 'depth', 'view']);
      }
      const isFull = isFullView(query, false);
      const limit = limitOf(query, limits);
      const rows = withFolders(memories.list(storeId), query, isFull);
      const page = cursorPage(rows, query, { limit: isFull ? Math.min(limit, mostFull) : limit }) as { readonly data: typeof rows };
      await exchange.sendJson({ ...page, data: page.data.map(({ row }) => row) });
    }),
    route('POST', 'create', '', async (exchange, storeId) => {
      const made = memories.create(storeId, checkBody(createMemorySchema, await exchange.json(largestBody)), keyOwner);
      await exchange.sendJson(toMemory(made, isFullView(exchange.query, false)));
    }),
    route('GET', 'retrieve', '/:childId', async (exchange, storeId, id) =>
      exchange.sendJson(toMemory(memories.get(storeId, id), isFullView(exchange.query, true))),
    ),
    route('POST', 'update', '/:childId', async (exchange, storeId, id) => {
      const params = checkBody(updateMemorySchema, await exchange.json(largestBody));
      await exchange.sendJson(toMemory(memories.update(storeId, id, params, keyOwner), isFullView(exchange.query, false)));
    }),
    route('DELETE', 'delete', '/:childId', async (exchange, storeId, id) => {
      const expected = exchange.query.get('expected_content_sha256') ?? undefined;
      if (expected !== undefined && !/^[0-9a-f]{64}$/.test(expected)) {
        throw invalidRequest('expected_content_sha256: must be 64 hexadecimal digits');
      }
      await memories.delete(storeId, id, expected, keyOwner);
      await exchange.sendJson({ id, type: 'memory_deleted' });
    }),
  ];
}

function versionRoutes(memories: MemoryState, strict: boolean): readonly Route[] {
  const table = {
    group,
    name: 'memoryStores.versions',
    path: `${path}/:id/memory_versions`,
    limits,
    filters: ['memory_id', 'session_id', 'api_key_id', 'operation', 'view', 'created_at[gte]', 'created_at[lte]'],
    list: (query: URLSearchParams, storeId: string) => {
      const isCreated = createdFilter(query);
      const operation = choiceOf(query, 'operation', ['created', 'modified', 'deleted']);
      const isAs = (name: string, value: string) => (query.get(name) ?? value) === value;
      const found = memories.listVersions(storeId).filter(version => {
        const { createdBy: by } = version;
        return (
          isAs('memory_id', version.memoryId) &&
          isAs('session_id', by.type === 'session_actor' ? by.session_id : '') &&
          isAs('api_key_id', by.type === 'api_actor' ? by.api_key_id : '') &&
          isCreated(version.createdAt) &&
          (operation === undefined || version.operation === operation)
        );
      });
      return found.map(version => toVersion(version, isFullView(query, false)));
    },
    retrieve: (id: string, query: URLSearchParams, storeId: string) => toVersion(memories.getVersion(storeId, id), isFullView(query, true)),
  } as const;
  return [
    ...kindRoutes(table, strict),
    routesBelow(table.name, table.path, group)('POST', 'redact', '/:childId/redact', async (exchange, storeId, id) =>
      exchange.sendJson(toVersion(memories.redact(storeId, id, keyOwner), false)),
    ),
  ];
}

interface Row {
  readonly id: string;
  readonly row: object;
}

/** Returns the memories below the prefix, sorted by path. With a depth of 1, deeper ones are replaced by one folder each. */
function withFolders(records: readonly MemoryRecord[], query: URLSearchParams, isFull: boolean): readonly Row[] {
  const prefix = query.get('path_prefix') ?? '/';
  if (!prefix.startsWith('/') || !prefix.endsWith('/')) {
    throw invalidRequest('path_prefix: must begin and end with /');
  }
  const isShallow = choiceOf(query, 'depth', ['0', '1']) === '1';
  const rows = new Map<string, Row>();
  for (const record of records.filter(({ path: one }) => one.startsWith(prefix))) {
    const end = record.path.indexOf('/', prefix.length);
    const folder = record.path.slice(0, end + 1);
    const isDeep = isShallow && end >= 0;
    const id = isDeep ? folder : record.id;
    rows.set(id, { id, row: isDeep ? { type: 'memory_prefix', path: folder } : toMemory(record, isFull) });
  }
  return [...rows.values()];
}

function isFullView(query: URLSearchParams, byDefault: boolean): boolean {
  const view = choiceOf(query, 'view', ['basic', 'full']);
  return view === undefined ? byDefault : view === 'full';
}
