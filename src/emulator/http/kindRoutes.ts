import * as z from 'zod';
import type { ResourceGroup } from '../../client/dialect';
import { type RouteGroup, type RouteName, type Verb, verbsOf } from '../routeNames';
import { invalidRequest } from './apiError';
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

/** Query names of every list that are not filters. */
const plainNames: ReadonlySet<string> = new Set(['beta', 'limit', 'page']);

/** Throws a 400 for a name that is not a filter of the list (contract, List endpoints 4). */
export function refuseUnknownNames(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    const base = name.endsWith('[]') ? name.slice(0, -2) : name;
    if (!plainNames.has(name) && !known.includes(base)) {
      throw invalidRequest(`${name}: unknown filter`);
    }
  }
}

/** Returns the requested page size or the default. Throws a 400 for a size outside of 1 to `most`. */
export function limitOf(query: URLSearchParams, { normal, most }: { readonly normal: number; readonly most: number }): number {
  const text = query.get('limit');
  if (text === null) {
    return normal;
  }
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) {
    throw invalidRequest(`limit: must be between 1 and ${most}`);
  }
  return limit;
}

/** Returns a flag, false if absent. Throws a 400 unless it is `true` or `false`. */
export function flagOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text !== null && text !== 'true' && text !== 'false') {
    throw invalidRequest(`${name}: Input should be a valid boolean`);
  }
  return text === 'true';
}

/** Returns a positive integer. Throws a 400 for any other value. */
export function countOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text !== null && !/^[1-9]\d{0,8}$/.test(text)) {
    throw invalidRequest(`${name}: Input should be a valid integer`);
  }
  return text === null ? undefined : Number(text);
}

/** Returns the value of a filter. Throws a 400 for a value that is not in `choices`. */
export function choiceOf<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T | undefined {
  const text = query.get(name);
  const found = choices.find(choice => choice === text);
  if (text !== null && found === undefined) {
    throw invalidRequest(`${name}: must be one of ${choices.join(', ')}`);
  }
  return found;
}

/** Returns the values of `name[]=a&name[]=b`, or `undefined` if there are none. */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] | undefined {
  const values = query.getAll(`${name}[]`);
  return values.length === 0 ? undefined : values;
}

/**
 * Returns a filter that accepts times in milliseconds within `created_at[gt|gte|lt|lte]` of the query. Throws a 400 for an invalid time.
 */
export function createdFilter(query: URLSearchParams): (time: number) => boolean {
  const bound = (name: string): number | undefined => {
    const text = query.get(`created_at[${name}]`);
    const time = text === null ? undefined : Date.parse(text);
    if (time !== undefined && (Number.isNaN(time) || !/^\d{4}-\d\d-\d\dT/.test(text ?? ''))) {
      throw invalidRequest(`created_at[${name}]: Input should be a valid date-time`);
    }
    return time;
  };
  const [gt, gte, lt, lte] = [bound('gt'), bound('gte'), bound('lt'), bound('lte')];
  return time =>
    (gt === undefined || time > gt) &&
    (gte === undefined || time >= gte) &&
    (lt === undefined || time < lt) &&
    (lte === undefined || time <= lte);
}

/** Names of the filters that `createdFilter` reads. */
export const createdNames: readonly string[] = ['created_at[gt]', 'created_at[gte]', 'created_at[lt]', 'created_at[lte]'];

/** Form of a list of the service. */
export type Envelope = 'ids' | 'page';

interface ListPage<T> {
  readonly data: readonly T[];
  readonly [field: string]: unknown;
}

/**
 * Returns one page of `items`, newest first, by `before_id` and `after_id` of the query. The response has `has_more`, `first_id` and
 * `last_id`. An unknown id returns an empty page, as on the recorded service.
 */
export function idPage<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, limit: number): ListPage<T> {
  const before = query.get('before_id');
  const after = query.get('after_id');
  let data: readonly T[];
  let hasMore: boolean;
  if (before !== null) {
    const end = Math.max(
      0,
      items.findIndex(item => item.id === before),
    );
    const start = Math.max(0, end - limit);
    data = items.slice(start, end);
    hasMore = start > 0;
  } else {
    const found = after === null ? -1 : items.findIndex(item => item.id === after);
    const start = after !== null && found < 0 ? items.length : found + 1;
    data = items.slice(start, start + limit);
    hasMore = start + limit < items.length;
  }
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

/**
 * Returns one page by the contract's `page` and `next_page`. A cursor is valid only for the `order` it was created with. With `backwards`,
 * the page has a `prev_page`, null on the first page. Throws a 400 for an invalid cursor.
 */
export function cursorPage<T extends { readonly id: string }>(
  items: readonly T[],
  query: URLSearchParams,
  options: { readonly limit: number; readonly order?: string; readonly backwards?: boolean },
): ListPage<T> {
  const { limit, order = '' } = options;
  const page = query.get('page');
  const start = page === null ? 0 : startOf(readCursor<Cursor>(page, order, cursorSchema), items, limit);
  const data = items.slice(start, start + limit);
  const more = start + limit < items.length;
  const next = more ? toCursorText({ id: data.at(-1)?.id ?? '', at: start + limit - 1, order }) : null;
  if (options.backwards !== true) {
    return { data, next_page: next };
  }
  const previous = start > 0 ? toCursorText({ id: data[0]?.id ?? '', at: start, order, before: true }) : null;
  return { data, next_page: next, prev_page: previous };
}

const cursorSchema = z.object({ id: z.string(), at: z.int().min(0), order: z.string(), before: z.boolean().optional() });
/** Item next to the start of a page, and its position when the cursor was created. */
type Cursor = z.infer<typeof cursorSchema>;

/** Encodes a cursor as opaque text. */
export function toCursorText(cursor: object): string {
  return `page_${Buffer.from(JSON.stringify(cursor)).toString('base64')}`;
}

/** Decodes a cursor. Throws a 400 for an invalid cursor, or a cursor that was created with another order. */
export function readCursor<T extends { readonly order: string }>(page: string, order: string, schema: z.ZodType<T>): T {
  let cursor: T;
  try {
    cursor = schema.parse(JSON.parse(Buffer.from(page.replace(/^page_/, ''), 'base64').toString()));
  } catch {
    throw invalidRequest('page: invalid cursor');
  }
  if (cursor.order !== order) {
    throw invalidRequest('page: created with another order');
  }
  return cursor;
}

/**
 * Returns the start index of the page at a cursor. The page starts next to the cursor's item, so that no item repeats after others are
 * created. If that item was deleted, the page starts at its old position.
 */
function startOf(cursor: Cursor, items: readonly { readonly id: string }[], limit: number): number {
  const index = items.findIndex(item => item.id === cursor.id);
  if (cursor.before === true) {
    return Math.max(0, (index < 0 ? cursor.at : index) - limit);
  }
  return index < 0 ? cursor.at : index + 1;
}
