import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { Timeline } from '../../../shared/session/facts/timeline';
import { askEventsOf, openAsksAt, type TranscriptAsk } from '../../../shared/session/openAsksAt';
import { inputOf } from '../../../shared/session/rows/buildToolRow';

/** Something that waits for the user. */
export interface OpenAsk {
  /** Event id to answer with, exactly as the service listed it. */
  readonly eventId: string;
  readonly kind: 'confirmation' | 'customTool';
  /** Undefined where the asking call is older than what was read. */
  readonly tool?: string;
  readonly server?: string;
  /** The arguments of the call. */
  readonly input?: unknown;
  /** Thread that asks, where the asking event names one other than the session's own. */
  readonly thread?: string;
  /** Milliseconds since 1970 by the service's clock. */
  readonly at?: number;
}

/** What waits after some events of a session, and the events that show it. */
export interface AsksOfEvents {
  readonly asks: readonly OpenAsk[];
  /** Oldest first. With them and what comes later it is known what waits then. */
  readonly evidence: readonly TranscriptEvent[];
  /** The session's own thread, where the events tell. */
  readonly ownThread: string | undefined;
}

/** Returns what waits after `events`, in the service's order, oldest first: the same as a panel shows of them. */
export function openAsks(events: readonly TranscriptEvent[]): readonly OpenAsk[] {
  return asksOfEvents(events).asks;
}

/** As above, with the events that show it. `ownThread` is the session's own thread, as far as it is known from elsewhere. */
export function asksOfEvents(events: readonly TranscriptEvent[], ownThread?: string): AsksOfEvents {
  const timeline = new Timeline(ownThread);
  for (const event of withoutDoubles(events)) {
    timeline.add(event);
  }
  // A call without an id can't be answered.
  const open = openAsksAt(timeline, timeline.events.length - 1, new Set()).filter(({ eventId }) => {
    const place = timeline.placeOf(eventId);
    return place === undefined || idOf(timeline.eventAt(place)) === eventId;
  });
  return {
    asks: open.filter(({ answering }) => answering !== true).map(ask => toOpenAsk(ask, timeline)),
    evidence: askEventsOf(timeline, new Set(open.map(({ eventId }) => eventId))),
    ownThread: timeline.shownThread,
  };
}

function toOpenAsk({ eventId, kind, thread, rowKey, at }: TranscriptAsk, timeline: Timeline): OpenAsk {
  const asking = timeline.eventAt(timeline.placeOf(eventId) ?? -1);
  const listing = timeline.eventAt(timeline.placeOf(rowKey) ?? -1);
  const tool = textOf(asking.name) ?? textOf(objectOf(listing.requires_action_details)?.tool_name);
  const server = textOf(asking.mcp_server_name);
  const input = inputOf(asking);
  return {
    ...{ eventId, kind },
    ...(tool === undefined ? {} : { tool }),
    ...(server === undefined ? {} : { server }),
    ...(input === undefined ? {} : { input }),
    ...(thread === undefined ? {} : { thread }),
    ...(at === undefined ? {} : { at }),
  };
}

/** Each event once, at its first position, as it was last. Some servers give a call and its result one id. */
function withoutDoubles(events: readonly TranscriptEvent[]): Iterable<TranscriptEvent> {
  const byId = new Map<unknown, TranscriptEvent>();
  for (const event of events) {
    const id = idOf(event);
    byId.set(id === undefined ? byId.size : `${event.type} ${id}`, event);
  }
  return byId.values();
}
