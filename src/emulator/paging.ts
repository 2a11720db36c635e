import * as z from 'zod';
import { invalidRequest } from './apiError';

/** Either of the two forms a list of the service has. */
export type Envelope = 'ids' | 'page';

const defaultLimit = 20;
const greatestLimit = 1000;
/** Query names that are no filter. */
const pageNames: ReadonlySet<string> = new Set(['beta', 'limit', 'page']);

/**
 * One page of `items`, newest first, as the query asks.
 * `ids`: `before_id`, `after_id`, `limit` and an answer with `has_more`, `first_id`, `last_id`; an unknown id gives an empty page and other names are ignored, as the recorded service does.
 * `page`: the contract's `limit`, `page` and `next_page`; an unknown name is an error (contract, List endpoints 4).
 */
export function listPage<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, envelope: Envelope): object {
  const limit = limitOf(query);
  return envelope === 'ids' ? idPage(items, query, limit) : cursorPage(items, query, limit);
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) {
    return defaultLimit;
  }
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > greatestLimit) {
    throw invalidRequest(`limit: must be between 1 and ${greatestLimit}`);
  }
  return limit;
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

function cursorPage<T extends { readonly id: string }>(items: readonly T[], query: URLSearchParams, limit: number): object {
  for (const name of query.keys()) {
    if (!pageNames.has(name)) {
      throw invalidRequest(`${name}: unknown filter`);
    }
  }
  const page = query.get('page');
  const start = page === null ? 0 : startOf(page, items);
  const data = items.slice(start, start + limit);
  const more = start + limit < items.length;
  return { data, next_page: more ? cursorOf({ id: data.at(-1)?.id ?? '', next: start + limit }) : null };
}

const cursorSchema = z.object({ id: z.string(), next: z.int().min(1) });
type Cursor = z.infer<typeof cursorSchema>;

function cursorOf(cursor: Cursor): string {
  return `page_${Buffer.from(JSON.stringify(cursor)).toString('base64')}`;
}

/** Where the page after a cursor begins: after the last item seen, so that none repeats when others are made; by its place when that item is gone. */
function startOf(page: string, items: readonly { readonly id: string }[]): number {
  let cursor: Cursor;
  try {
    cursor = cursorSchema.parse(JSON.parse(Buffer.from(page.replace(/^page_/, ''), 'base64').toString()));
  } catch {
    throw invalidRequest('page: invalid cursor');
  }
  const last = items.findIndex(item => item.id === cursor.id);
  return last < 0 ? cursor.next - 1 : last + 1;
}
