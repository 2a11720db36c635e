import type { ResourceGroup } from '../../client/dialect';
import { flagOf, limitOf, refuseUnknownNames } from './listFilters';
import { type Route, routesBelow } from './matchRoute';
import { cursorPage } from './paging';
import type { Exchange } from './serverExchange';

/** Response form of a member. */
export interface WireObject {
  readonly id: string;
}

/**
 * Table of the usual calls of a group and their implementations. An `ApiError` thrown by one becomes the response. Reading or changing a
 * missing member throws the 404 of its store.
 */
export interface KindTable {
  /** Group that determines the required beta, and the first part of the route names unless `name` is set. */
  readonly group: ResourceGroup;
  readonly name?: string;
  /** Path of the collection. If it contains `:id`, that id is the first argument of the calls. */
  readonly path: string;
  /** Maximum size of a JSON body, in bytes. */
  readonly largestBody?: number;
  readonly create?: (body: unknown, parent: string) => WireObject;
  /** Returns the members that pass the filters of the query, newest first. `parent` is the id in the collection's own path. */
  readonly list: (query: URLSearchParams, parent: string) => readonly WireObject[];
  /** Names of the filters that `list` reads. */
  readonly filters?: readonly string[];
  /** Number of items per page. */
  readonly limits?: { readonly normal: number; readonly most: number };
  /** Formats a page in another form than the contract's. */
  readonly page?: (items: readonly WireObject[], query: URLSearchParams) => object;
  readonly retrieve: (id: string, query: URLSearchParams, parent: string) => WireObject;
  readonly update?: (id: string, body: unknown, parent: string) => WireObject;
  readonly archive?: (id: string, parent: string) => WireObject;
  /** Deletes a member. Resolves with the `type` of the response. */
  readonly delete?: (id: string, parent: string) => Promise<string>;
}

type Member = (exchange: Exchange, id: string, parent: string) => Promise<void>;

/**
 * Returns the routes of a table. `strict` refuses unknown filters, as the contract does (List endpoints 4). Updates are POST to the path of
 * the item (API facts, section 2).
 */
export function kindRoutes(table: KindTable, strict: boolean): readonly Route[] {
  const { group, path, filters = [], limits = { normal: 20, most: 1000 }, largestBody = 1024 * 1024 } = table;
  const { create, list, page, retrieve, update, archive, delete: remove } = table;
  const isNested = path.includes('/:id');
  const route = routesBelow(table.name ?? group, path, group);
  const member = (method: Route['method'], verb: string, act: Member, rest = ''): Route =>
    route(method, verb, `${isNested ? '/:childId' : '/:id'}${rest}`, (exchange, id, childId) =>
      isNested ? act(exchange, childId, id) : act(exchange, id, ''),
    );
  const optional = (isThere: unknown, made: () => Route): readonly Route[] => (isThere === undefined ? [] : [made()]);
  return [
    ...optional(create, () =>
      route('POST', 'create', '', async (exchange, parent) => exchange.sendJson(create?.(await exchange.json(largestBody), parent) ?? {})),
    ),
    route('GET', 'list', '', async (exchange, parent) => {
      const { query } = exchange;
      if (strict && page === undefined) {
        refuseUnknownNames(query, filters);
      }
      const found = list(query, parent);
      await exchange.sendJson(page?.(found, query) ?? cursorPage(found, query, { limit: limitOf(query, limits) }));
    }),
    member('GET', 'retrieve', async (exchange, id, parent) => exchange.sendJson(retrieve(id, exchange.query, parent))),
    ...optional(update, () =>
      member('POST', 'update', async (exchange, id, parent) => {
        retrieve(id, new URLSearchParams(), parent);
        await exchange.sendJson(update?.(id, await exchange.json(largestBody), parent) ?? {});
      }),
    ),
    ...optional(archive, () =>
      member('POST', 'archive', async (exchange, id, parent) => exchange.sendJson(archive?.(id, parent) ?? {}), '/archive'),
    ),
    ...optional(remove, () =>
      member('DELETE', 'delete', async (exchange, id, parent) => {
        retrieve(id, new URLSearchParams(), parent);
        await exchange.sendJson({ id, type: await remove?.(id, parent) });
      }),
    ),
  ];
}

/** Returns the members that are not archived, or all if the query asks for them. Throws a 400 for an invalid flag. */
export function unlessArchived<T extends { readonly archivedAt: number | null }>(
  query: URLSearchParams,
  records: readonly T[],
): readonly T[] {
  const withArchived = flagOf(query, 'include_archived');
  return records.filter(({ archivedAt }) => withArchived || archivedAt === null);
}
