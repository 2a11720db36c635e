import type { SessionEvent } from '../schemas/sessionEvents';
import type { EventLedger } from './eventLedger';
import { nameOf } from './eventNames';
import type { Arrived } from './streamPump';
import { News, type UpdateQueue } from './updateQueue';

/** Takes events as a stream brings them and gives what of them is new; previews only of what is not stored yet. */
export class StreamArrivals {
  /** Whether an event said that the session was deleted: nothing comes after it. */
  isDeleted = false;

  constructor(
    private readonly ledger: EventLedger,
    private readonly queue: UpdateQueue,
  ) {}

  /** Events without a name at the start of what was buffered that the history had told already, as far as their order shows it. */
  withoutOverlap(arrived: readonly Arrived[]): readonly Arrived[] {
    const unnamed = arrived.filter(({ event, frameId }) => isStored(event) && nameOf(event, frameId) === undefined);
    const repeated = new Set(unnamed.slice(0, this.ledger.overlap(unnamed.map(({ event }) => event))));
    return repeated.size === 0 ? arrived : arrived.filter(item => !repeated.has(item));
  }

  /** Gives what is new of these events of the stream; true when the last of them ends the log. */
  give(arrived: readonly Arrived[], bytes = 0): boolean {
    const news = new News(this.queue, bytes);
    const previews: SessionEvent[] = [];
    for (const { event, frameId } of arrived) {
      if (!isStored(event)) {
        if (event.type !== 'ping') {
          previews.push(event);
        }
        continue;
      }
      news.add(event, this.ledger.take(event, nameOf(event, frameId)));
      if (event.type === 'session.deleted') {
        this.isDeleted = true;
        break;
      }
    }
    news.flush();
    const current = previews.filter(event => previewedNames(event).every(name => this.ledger.ordinalOf(name) === undefined));
    if (current.length > 0) {
      this.queue.push({ type: 'previews', events: current });
    }
    return this.isDeleted;
  }
}

/** Whether an event of the stream is one of the log: pings and previews are never stored. */
function isStored({ type, id }: SessionEvent): boolean {
  return typeof id === 'string' || (type !== 'ping' && type !== 'event_start' && type !== 'event_delta');
}

/** Returns the names that the event of a preview can have. A delta does not carry the event's type. */
function previewedNames({ event, event_id: id }: SessionEvent): readonly (string | undefined)[] {
  const inner = typeof event === 'object' && event !== null ? (event as { readonly id?: unknown }).id : undefined;
  const target = id ?? inner;
  return typeof target === 'string' ? ['agent.message', 'agent.thinking'].map(type => nameOf({ type, id: target })) : [];
}
