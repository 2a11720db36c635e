import type { ResourceGroup } from '../../client/dialect';
import { flagOf, limitOf, refuseUnknownNames } from './listFilters';
import { type Route, routesBelow } from './matchRoute';
import { cursorPage } from './paging';
import type { Exchange } from './serverExchange';

/** What the service shows of a member. */
export interface WireObject {
  readonly id: string;
}

/**
 * A group of the service as a table: what of the usual it has, and what each of that does. What throws an `ApiError` is answered with
 * it; a read or a change of what is not there throws the 404 of its store.
 */
export interface KindTable {
  /** The beta it is behind; the names of its routes begin with it unless `name` says otherwise. */
  readonly group: ResourceGroup;
  readonly name?: string;
  /** Of the collection; with an `:id` in it the calls are told that id first. */
  readonly path: string;
  /** Bytes of a JSON body, at most. */
  readonly largestBody?: number;
  readonly create?: (body: unknown, parent: string) => WireObject;
  /** Those that pass the filters of the query, newest first; `parent` is the id in the collection's own path. */
  readonly list: (query: URLSearchParams, parent: string) => readonly WireObject[];
  /** Names of the filters that `list` reads. */
  readonly filters?: readonly string[];
  /** Items on a page. */
  readonly limits?: { readonly normal: number; readonly most: number };
  /** A page in another form than the contract's. */
  readonly page?: (items: readonly WireObject[], query: URLSearchParams) => object;
  readonly retrieve: (id: string, query: URLSearchParams, parent: string) => WireObject;
  readonly update?: (id: string, body: unknown, parent: string) => WireObject;
  readonly archive?: (id: string, parent: string) => WireObject;
  /** Settles when it is gone; answers the `type` that says so. */
  readonly delete?: (id: string, parent: string) => Promise<string>;
}

type Member = (exchange: Exchange, id: string, parent: string) => Promise<void>;

/**
 * The routes of a table. `strict` refuses unknown filters, as the contract does (List endpoints 4). Updates are POST to the path of the
 * item (API facts, section 2).
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

/** Those that are not archived, or all where the query wants them. Throws a 400 for a flag that is none. */
export function unlessArchived<T extends { readonly archivedAt: number | null }>(
  query: URLSearchParams,
  records: readonly T[],
): readonly T[] {
  const withArchived = flagOf(query, 'include_archived');
  return records.filter(({ archivedAt }) => withArchived || archivedAt === null);
}
