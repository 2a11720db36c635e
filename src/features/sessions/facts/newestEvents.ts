import type { EventLog, SessionEvent } from '../../../client/events/eventLog';
import { directionOf } from '../../../client/events/historyOrder';
import type { Page } from '../../../client/transport/callResult';
import { listOf, objectOf, textOf } from '../../../shared/session/eventFields';

/** Newest events of a log. `isWhole` is true if there are no older events. */
export interface NewestEvents {
  /** Events in the service's order, oldest first. */
  readonly events: readonly SessionEvent[];
  readonly isWhole: boolean;
}

/**
 * Reads the newest events of a session, at least one page, until `isEnough` returns true or `maxPages` is reached. If the service always
 * lists the oldest events first, reads to the end. Returns `undefined` if the log exceeds `maxPages`.
 */
export async function readNewestEvents(
  log: Pick<EventLog, 'list'>,
  signal: AbortSignal,
  {
    isEnough,
    maxPages,
  }: { readonly isEnough: (newestFirst: readonly SessionEvent[]) => boolean | Promise<boolean>; readonly maxPages: number },
): Promise<NewestEvents | undefined> {
  const first = await log.list({ order: 'desc', limit: firstPage, signal });
  const direction = directionOf(first.items);
  const isReversed = direction === undefined ? await ignoresOrder(log, first, signal) : direction === 'oldestFirst';
  let { items, nextCursor: cursor, isCut } = first;
  for (let pages = 1; cursor !== undefined && pages < maxPages && (isReversed || !(await isEnough(items))); pages++) {
    const page: Page<SessionEvent> = await log.list({ order: 'desc', limit: nextPage, cursor, signal });
    items = [...items, ...page.items];
    ({ nextCursor: cursor, isCut } = page);
  }
  const isWhole = cursor === undefined && isCut !== true;
  if (isReversed) {
    return isWhole ? { events: items, isWhole } : undefined;
  }
  return { events: items.toReversed(), isWhole };
}

/** Returns the text of a session's first message if its first events contain it. `undefined` if the service ignores the order. */
export async function readFirstWords(log: EventLog, signal: AbortSignal): Promise<string | undefined> {
  const page = await log.list({ order: 'asc', limit: oldestPage, signal });
  return directionOf(page.items) === 'oldestFirst' ? firstUserWords(page.items) : undefined;
}

const oldestPage = 20;
const firstPage = 50;
const nextPage = 100;

/** Returns whether a service ignores the requested order. Sends a request, because the first page doesn't show it. */
async function ignoresOrder(log: Pick<EventLog, 'list'>, { items, nextCursor }: Page<SessionEvent>, signal: AbortSignal): Promise<boolean> {
  const id = items[0]?.id;
  if (id === undefined || nextCursor === undefined) {
    return false;
  }
  return (await log.list({ order: 'asc', limit: 1, signal })).items[0]?.id === id;
}

/** Returns whether an event reports the status of the whole session. */
export function reportsState({ type }: SessionEvent): boolean {
  return type === 'session.status_idle' || type === 'session.status_running' || type === 'session.status_terminated';
}

/** Returns the text of the first message that a user sent. */
export function firstUserWords(events: readonly SessionEvent[]): string | undefined {
  const message = events.find(({ type }) => type === 'user.message');
  return listOf(message?.content).flatMap(part => textOf(objectOf(part)?.text) ?? [])[0];
}
