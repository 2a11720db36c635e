import type { ResourceGroup } from '../../client/dialect';
import { type RouteGroup, type RouteName, type Verb, verbsOf } from '../routeNames';
import { choiceOf, createdFilter, cursorPage, type Envelope, flagOf, idPage, limitOf, refuseUnknownNames } from './listQuery';
import type { Exchange } from './serverExchange';
import { toWire } from './toWire';

interface Member {
  readonly id: string;
  readonly createdAt?: number;
  readonly archivedAt?: number | null;
}

/** Members of a collection. `parent` is the id in the path of a nested collection, empty in any other. `get` throws the service's 404. */
interface Members<T> {
  list(parent: string): readonly T[];
  get(id: string, parent: string): T;
  archive?(id: string, parent: string): T | Promise<T>;
  delete?(id: string, parent: string): Promise<void>;
}

/** Handler of one route. Its result is sent as JSON. */
type Act = (exchange: Exchange, id: string, parent: string) => unknown;

/**
 * Definition of a route group: its path, its members, and how its calls differ from the usual calls. An `ApiError` thrown by a call becomes
 * the response.
 */
interface KindTable<T extends Member> {
  readonly name: RouteGroup;
  /** Path of the collection. An `:id` in the path is the parent of the members. */
  readonly path: string;
  /** `type` of the members in responses. The response to a delete has `<type>_deleted`. */
  readonly type: string;
  readonly members: Members<T>;
  /** Converts a member to its response form, by default with `toWire`. `isAlone` is false in a list. */
  readonly show?: (member: T, exchange: Exchange, isAlone: boolean, parent: string) => object;
  readonly create?: (exchange: Exchange, parent: string) => T | Promise<T>;
  readonly update?: (exchange: Exchange, id: string, parent: string) => T | Promise<T>;
  /** Names of the filters of a list. Those for the creation time and for archived members are applied here. */
  readonly filters?: readonly string[];
  /** Returns a filter by all other query parameters in `filters`. */
  readonly passes?: (exchange: Exchange) => (member: T) => boolean;
  readonly limits?: { readonly normal: number; readonly most: number };
  /** Form of a page. The contract's form by default. */
  readonly envelope?: () => Envelope;
  /** True if pages have `has_more` next to the contract's fields. */
  readonly hasMore?: boolean;
  /** True if the order can be chosen and pages can be read backwards. */
  readonly isOrdered?: boolean;
  /** Handlers of additional calls and of calls that differ from the usual ones, keyed by verb. */
  readonly acts?: Readonly<Record<string, Act>>;
}

/** Method and path below the collection, keyed by verb. Any other verb is a POST to `/:id/VERB`. */
const usual: Readonly<Record<string, readonly [method: Route['method'], rest: string]>> = {
  create: ['POST', ''],
  list: ['GET', ''],
  retrieve: ['GET', '/:id'],
  update: ['POST', '/:id'],
  delete: ['DELETE', '/:id'],
};

/** Returns the routes of a table: one for each verb of its group that the table or its members have. */
export function kindRoutes<T extends Member>(table: KindTable<T>): readonly Route[] {
  const { name, path, type, members, create, update, show = member => toWire(type, member) } = table;
  const { archive, delete: remove } = members;
  const acts: Readonly<Record<string, Act | undefined>> = {
    create: create && (async (exchange, _, parent) => show(await create(exchange, parent), exchange, false, parent)),
    list: (exchange, _, parent) => listOf(table, show, exchange, parent),
    retrieve: (exchange, id, parent) => show(members.get(id, parent), exchange, true, parent),
    update:
      update &&
      (async (exchange, id, parent) => {
        members.get(id, parent);
        return show(await update(exchange, id, parent), exchange, false, parent);
      }),
    archive: archive && (async (exchange, id, parent) => show(await archive.call(members, id, parent), exchange, false, parent)),
    delete:
      remove &&
      (async (_, id, parent) => {
        members.get(id, parent);
        await remove.call(members, id, parent);
        return { id, type: `${type}_deleted` };
      }),
    ...table.acts,
  };
  const isNested = path.includes('/:id');
  const route = routesBelow(name, path);
  return verbsOf(name).flatMap(verb => {
    const act = acts[verb];
    const [method, rest] = usual[verb] ?? ['POST', `/:id/${verb}`];
    return act === undefined
      ? []
      : route(method, verb, isNested ? rest.replace(':id', ':childId') : rest, async (exchange, id, childId) =>
          exchange.sendJson(await (isNested ? act(exchange, childId, id) : act(exchange, id, ''))),
        );
  });
}

function listOf<T extends Member>(table: KindTable<T>, show: NonNullable<typeof table.show>, exchange: Exchange, parent: string): object {
  const { members, filters = [], passes, limits = { normal: 20, most: 1000 }, isOrdered = false, hasMore = false } = table;
  const { query } = exchange;
  const envelope = table.envelope?.();
  // The contract refuses unknown filters (List endpoints 4). Other services ignore unknown filters.
  if (envelope === undefined ? exchange.dialect === 'contract' : envelope === 'page') {
    refuseUnknownNames(query, isOrdered ? [...filters, 'order'] : filters);
  }
  const isWanted = passes?.(exchange);
  const isCreated = filters.some(name => name.startsWith('created_at')) ? createdFilter(query) : undefined;
  const hidesArchived = filters.includes('include_archived') && !flagOf(query, 'include_archived');
  const order = (isOrdered ? choiceOf(query, 'order', ['asc', 'desc']) : undefined) ?? 'desc';
  const found = members
    .list(parent)
    .filter(member => !(hidesArchived && (member.archivedAt ?? null) !== null))
    .filter(member => (isCreated?.(member.createdAt ?? 0) ?? true) && (isWanted?.(member) ?? true));
  const limit = limitOf(query, limits);
  const items = order === 'asc' ? found.reverse() : found;
  const page = envelope === 'ids' ? idPage(items, query, limit) : cursorPage(items, query, { limit, order, backwards: isOrdered });
  const data = page.data.map(member => show(member, exchange, false, parent));
  return { ...page, ...(hasMore ? { has_more: page.next_page !== null } : {}), data };
}

/**
 * Handler of one method and path. A `:name` in the path matches one segment, which is passed decoded. A path has at most two such names.
 */
export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Group whose beta (`?beta=true` and the beta header) is required in dialects with betas. `undefined` if no beta is required. */
  readonly beta: ResourceGroup | undefined;
  readonly handle: (exchange: Exchange, id: string, childId: string) => Promise<void>;
}

/** Groups that need no beta. The name of any other group starts with the resource group whose beta it needs. */
const plainGroups: ReadonlySet<string> = new Set(['models', 'messages']);

/** Returns a function that creates routes of one group from a method, a verb, a path below `path`, and a handler. */
export function routesBelow<G extends RouteGroup>(group: G, path: string) {
  const beta = plainGroups.has(group) ? undefined : (group.split('.')[0] as ResourceGroup);
  return (method: Route['method'], verb: Verb<G>, rest: string, handle: Route['handle']): Route => ({
    name: `${group}.${verb}` as RouteName,
    method,
    path: path + rest,
    beta,
    handle,
  });
}

/**
 * Returns the route for a method and a path without its query, with the ids in the path, or `undefined` if there is none. `childId` is empty
 * if the path has only one id.
 */
export function matchRoute(routes: readonly Route[], method: string | undefined, path: string) {
  const segments = path.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== segments.length) {
      continue;
    }
    const ids: string[] = [];
    const fits = pattern.every((part, at) => {
      const segment = segments[at] ?? '';
      if (!part.startsWith(':')) {
        return part === segment;
      }
      return ids.push(decoded(segment)) > 0 && ids.at(-1) !== '';
    });
    if (fits) {
      return { route, id: ids[0] ?? '', childId: ids[1] ?? '' };
    }
  }
  return undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
