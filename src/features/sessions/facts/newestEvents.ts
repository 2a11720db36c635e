import type { SessionEvent } from '../../../client/schemas/sessionEvents';
import type { EventLog } from '../../../client/serviceClient';
import type { Page } from '../../../client/transport/callResult';
import { listOf, momentOf, objectOf, textOf } from '../../../shared/session/eventFields';

/** Newest events of a log. `isWhole` is true if there are no older ones. */
export interface NewestEvents {
  /** Events in the service's order, oldest first. */
  readonly events: readonly SessionEvent[];
  readonly isWhole: boolean;
}

/** Limits of a read. */
export interface Reach {
  /** Returns whether these events, newest first, are enough. */
  readonly isEnough: (newestFirst: readonly SessionEvent[]) => boolean | Promise<boolean>;
  readonly maxPages: number;
}

/**
 * Reads the newest events of a session, at least one page, until they are enough or `maxPages` are read. A service that always lists the
 * oldest events first is read to the end; returns `undefined` if that takes more pages.
 */
export async function readNewestEvents(
  log: Pick<EventLog, 'list'>,
  signal: AbortSignal,
  { isEnough, maxPages }: Reach,
): Promise<NewestEvents | undefined> {
  const first = await log.list({ order: 'desc', limit: firstPage, signal });
  const isReversed = isOldestFirst(first) ?? (await ignoresOrder(log, first, signal));
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

/** Returns the text of a session's first message if its first events contain it; `undefined` if the service ignores the order. */
export async function readFirstWords(log: EventLog, signal: AbortSignal): Promise<string | undefined> {
  const page = await log.list({ order: 'asc', limit: oldestPage, signal });
  return isOldestFirst(page) === true ? firstUserWords(page.items) : undefined;
}

const oldestPage = 20;
const firstPage = 50;
const nextPage = 100;

/**
 * Returns whether a service lists the oldest events first, whatever order is requested. Sends a request, because the first page doesn't
 * show it.
 */
async function ignoresOrder(log: Pick<EventLog, 'list'>, { items, nextCursor }: Page<SessionEvent>, signal: AbortSignal): Promise<boolean> {
  const id = items[0]?.id;
  if (id === undefined || nextCursor === undefined) {
    return false;
  }
  return (await log.list({ order: 'asc', limit: 1, signal })).items[0]?.id === id;
}

/** Returns whether a page starts with its oldest event, by sequence numbers, times or references. `undefined` if none of them shows it. */
function isOldestFirst({ items }: Page<SessionEvent>): boolean | undefined {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) {
    return undefined;
  }
  if (typeof first.seq === 'number' && typeof last.seq === 'number') {
    return first.seq < last.seq;
  }
  const [from, to] = [momentOf(first)?.ms, momentOf(last)?.ms];
  if (from !== undefined && to !== undefined && from !== to) {
    return from < to;
  }
  const positions = new Map(items.map((event, position) => [event.id, position]));
  const distances = items.flatMap((event, position) => referencesOf(event).map(id => position - (positions.get(id) ?? position)));
  return distances.some(distance => distance > 0) ? true : distances.some(distance => distance < 0) ? false : undefined;
}

function referencesOf(event: SessionEvent): readonly string[] {
  const { tool_use_id, custom_tool_use_id, mcp_tool_use_id, model_request_start_id } = event;
  const waitedFor = listOf(objectOf(event.stop_reason)?.event_ids);
  return [tool_use_id, custom_tool_use_id, mcp_tool_use_id, model_request_start_id, ...waitedFor].flatMap(id => textOf(id) ?? []);
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
