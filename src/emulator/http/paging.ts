import * as z from 'zod';
import { invalidRequest } from './apiError';
import { limitOf, refuseUnknownNames } from './listFilters';

/** Either of the two forms a list of the service has. */
export type Envelope = 'ids' | 'page';

const usualLimits = { normal: 20, most: 1000 };

/**
 * One page of `items`, newest first, as the query asks.
 * `ids`: `before_id`, `after_id`, `limit` and an answer with `has_more`, `first_id`, `last_id`; an unknown id gives an empty page and other names are ignored, as the recorded service does.
 * `page`: the contract's `limit`, `page` and `next_page`; an unknown name is an error (contract, List endpoints 4).
 */
export function listPage<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, envelope: Envelope): object {
  const limit = limitOf(query, usualLimits);
  if (envelope === 'ids') {
    return idPage(items, query, limit);
  }
  refuseUnknownNames(query, []);
  return cursorPage(items, query, { limit });
}

function idPage<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, limit: number): object {
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
 * One page by the contract's `page` and `next_page`. A cursor is good for the `order` it was made with only. With `backwards`
 * there is a `prev_page`, null on the first page. Throws a 400 for a cursor that is none.
 */
export function cursorPage<T extends { readonly id: string }>(
  items: readonly T[],
  query: URLSearchParams,
  options: { readonly limit: number; readonly order?: string; readonly backwards?: boolean },
): object {
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
/** The item next to which a page lies, and its place when the cursor was made. */
type Cursor = z.infer<typeof cursorSchema>;

/** The text of a cursor: nothing that a client should read. */
export function toCursorText(cursor: object): string {
  return `page_${Buffer.from(JSON.stringify(cursor)).toString('base64')}`;
}

/** The cursor of a text. Throws a 400 for a text that is none, and for one that was made with another order. */
export function readCursor<T extends { readonly order: string }>(page: string, order: string, schema: z.ZodType<T>): T {
  let cursor: T;
  try {
    cursor = schema.parse(JSON.parse(Buffer.from(page.replace(/^page_/, ''), 'base64').toString()));
  } catch {
    throw invalidRequest('page: invalid cursor');
  }
  if (cursor.order !== order) {
    throw invalidRequest('page: made with another order');
  }
  return cursor;
}

/** Where the page of a cursor begins: next to the item seen, so that none repeats when others are made; by its place when that item is gone. */
function startOf(cursor: Cursor, items: readonly { readonly id: string }[], limit: number): number {
  const seen = items.findIndex(item => item.id === cursor.id);
  if (cursor.before === true) {
    return Math.max(0, (seen < 0 ? cursor.at : seen) - limit);
  }
  return seen < 0 ? cursor.at : seen + 1;
}
