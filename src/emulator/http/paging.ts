import * as z from 'zod';
import { invalidRequest } from './apiError';

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

/** Decodes a cursor. Throws a 400 if it is invalid or was created with another order. */
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
