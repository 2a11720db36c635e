import * as z from 'zod';
import { choiceOf, createdFilter, limitOf, valuesOf } from '../http/listFilters';
import { readCursor, toCursorText } from '../http/paging';
import type { EventLog } from './eventLog';

const limits = { normal: 100, most: 1000 };
const cursorSchema = z.object({ at: z.int().min(0), order: z.enum(['asc', 'desc']) });

/** Query names that a list of events accepts. */
export const eventFilterNames = ['order', 'types', 'created_at[gt]', 'created_at[gte]', 'created_at[lt]', 'created_at[lte]'] as const;

/**
 * Returns one page of a log as JSON text, without parsing the events again. Without filters, the cost does not depend on the length of the
 * log. Throws a 400 for an invalid filter and for a cursor of the other order.
 */
export function eventPage(log: EventLog, query: URLSearchParams, newestFirst: boolean): string {
  const order = choiceOf(query, 'order', ['asc', 'desc'] as const) ?? (newestFirst ? 'desc' : 'asc');
  const limit = limitOf(query, limits);
  const types = valuesOf(query, 'types');
  const isCreated = createdFilter(query);
  const step = order === 'asc' ? 1 : -1;
  const found: string[] = [];
  let next: number | undefined;
  for (let at = startOf(query.get('page'), order, log.length); ; at += step) {
    const event = log.at(at);
    if (event === undefined) {
      break;
    }
    if ((types === undefined || types.includes(event.type)) && isCreated(event.createdAt)) {
      if (found.length === limit) {
        next = at;
        break;
      }
      found.push(event.json);
    }
  }
  const cursor = next === undefined ? null : toCursorText({ at: next, order });
  return `{"data":[${found.join(',')}],"next_page":${JSON.stringify(cursor)}}`;
}

function startOf(page: string | null, order: 'asc' | 'desc', length: number): number {
  if (page === null) {
    return order === 'asc' ? 0 : length - 1;
  }
  return readCursor(page, order, cursorSchema).at;
}
