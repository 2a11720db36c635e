import type { EventLedger } from './eventLedger';
import type { SessionEvent } from './eventLog';
import { type Named, nameOf } from './eventNames';
import type { UpdateQueue } from './updateQueue';

/** Receives events from a stream and delivers new events. Delivers previews only of events that are not stored yet. */
export class StreamArrivals {
  /** True if an event said that the session was deleted. No event follows. */
  isDeleted = false;

  constructor(
    private readonly ledger: EventLedger,
    private readonly queue: UpdateQueue,
  ) {}

  /**
   * Removes the unnamed events at the start of the buffer that repeat the end of the history. Unnamed events are recognized by their order.
   */
  withoutOverlap(arrived: readonly Named[]): readonly Named[] {
    const unnamed = arrived.filter(({ event, name }) => name === undefined && isStored(event));
    const repeated = new Set(unnamed.slice(0, this.ledger.overlap(unnamed.map(({ event }) => event))));
    return repeated.size === 0 ? arrived : arrived.filter(item => !repeated.has(item));
  }

  /** Delivers new events of the stream. Returns true if the last event ends the log. */
  give(arrived: readonly Named[], bytes = 0): boolean {
    const end = arrived.findIndex(({ event }) => event.type === 'session.deleted');
    this.isDeleted ||= end >= 0;
    const events = end < 0 ? arrived : arrived.slice(0, end + 1);
    this.queue.pushNews(this.ledger.take(events.filter(({ event }) => isStored(event))), true, bytes);
    const isCurrent = (event: SessionEvent) => previewedNames(event).every(name => this.ledger.ordinalOf(name) === undefined);
    const previews = events.flatMap(({ event }) => (isStored(event) || event.type === 'ping' || !isCurrent(event) ? [] : [event]));
    if (previews.length > 0) {
      this.queue.push({ type: 'previews', events: previews });
    }
    return this.isDeleted;
  }
}

/** Returns whether an event of the stream is part of the log. Pings and previews are never stored. */
function isStored({ type, id }: SessionEvent): boolean {
  return typeof id === 'string' || (type !== 'ping' && type !== 'event_start' && type !== 'event_delta');
}

/** Returns the names that the event of a preview can have. A delta does not carry the event's type. */
function previewedNames({ event, event_id: id }: SessionEvent): readonly (string | undefined)[] {
  const inner = typeof event === 'object' && event !== null ? (event as { readonly id?: unknown }).id : undefined;
  const target = id ?? inner;
  return typeof target === 'string' ? ['agent.message', 'agent.thinking'].map(type => nameOf({ type, id: target })) : [];
}
