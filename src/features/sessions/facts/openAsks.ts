import { defined } from '../../../shared/defined';
import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { Timeline } from '../../../shared/session/facts/timeline';
import { askEventsOf, openAsks as openAsksOf, type TranscriptAsk } from '../../../shared/session/openAsks';
import { inputOf } from '../../../shared/session/rows/buildToolRow';

/** An ask that waits for the user's answer. */
export interface OpenAsk {
  /** Event ID to answer with, exactly as the service listed it. */
  readonly eventId: string;
  readonly kind: 'confirmation' | 'customTool';
  /** Tool of the call. `undefined` if the call is older than the events that were read. */
  readonly tool?: string;
  readonly server?: string;
  readonly input?: unknown;
  /** ID of the thread that asks. Absent for the session's own thread. */
  readonly thread?: string;
  /** Milliseconds since 1970 by the service's clock. */
  readonly at?: number;
}

/** Returns the asks that are open after `events`, oldest first, as a panel shows them. */
export function openAsks(events: readonly TranscriptEvent[]): readonly OpenAsk[] {
  return asksOfEvents(events).asks;
}

/**
 * Returns the asks like `openAsks`, with `evidence`, the events that show the asks, oldest first. A later call needs only these and new
 * events. `ownThread` is the ID of the session's own thread, if known.
 */
export function asksOfEvents(events: readonly TranscriptEvent[], ownThread?: string) {
  const timeline = new Timeline(ownThread);
  for (const event of withoutDoubles(events)) {
    timeline.add(event);
  }
  // A call without an ID can't be answered.
  const open = openAsksOf(timeline, new Set()).filter(({ eventId }) => {
    const index = timeline.indexOf(eventId);
    return index === undefined || idOf(timeline.eventAt(index)) === eventId;
  });
  return {
    asks: open.filter(({ answering }) => answering !== true).map(ask => toOpenAsk(ask, timeline)),
    evidence: askEventsOf(timeline, new Set(open.map(({ eventId }) => eventId))),
    ownThread: timeline.shownThread,
  };
}

function toOpenAsk({ eventId, kind, thread, rowKey, at }: TranscriptAsk, timeline: Timeline): OpenAsk {
  const asking = timeline.eventAt(timeline.indexOf(eventId) ?? -1);
  const listing = timeline.eventAt(timeline.indexOf(rowKey) ?? -1);
  const tool = textOf(asking.name) ?? textOf(objectOf(listing.requires_action_details)?.tool_name);
  return { eventId, kind, ...defined({ tool, server: textOf(asking.mcp_server_name), input: inputOf(asking), thread, at }) };
}

/** Returns each event once, at its first position, with its last body. Some servers give a call and its result the same ID. */
function withoutDoubles(events: readonly TranscriptEvent[]): Iterable<TranscriptEvent> {
  const byId = new Map<unknown, TranscriptEvent>();
  for (const event of events) {
    const id = idOf(event);
    byId.set(id === undefined ? byId.size : `${event.type} ${id}`, event);
  }
  return byId.values();
}
