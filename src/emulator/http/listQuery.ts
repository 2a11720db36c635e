import * as z from 'zod';
import { invalidRequest } from './apiError';

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
