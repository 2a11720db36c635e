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
  const last = page === null ? undefined : lastIdOf(page);
  // The cursor names the last item seen, so that a page neither repeats nor skips when batches are made meanwhile.
  const start = last === undefined ? 0 : items.findIndex(item => item.id === last) + 1;
  if (last !== undefined && start === 0) {
    throw invalidRequest('page: invalid cursor');
  }
  const data = items.slice(start, start + limit);
  const more = start + limit < items.length;
  return { data, next_page: more ? cursorOf(data.at(-1)?.id ?? '') : null };
}

function cursorOf(id: string): string {
  return `page_${Buffer.from(id).toString('base64')}`;
}

function lastIdOf(cursor: string): string {
  if (!cursor.startsWith('page_')) {
    throw invalidRequest('page: invalid cursor');
  }
  return Buffer.from(cursor.slice('page_'.length), 'base64').toString();
}
