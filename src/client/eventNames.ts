import { fingerprintOf } from './eventIndex';
import type { SessionEvent } from './schemas/sessionEvents';

/**
 * What names an event, so that two copies of it are known as one: its `id`; in a looser dialect the `message_id` of an agent's
 * message, or a `seq`, which the stream may give as the `id:` line of the frame. Undefined when nothing does.
 */
export function nameOf(event: SessionEvent, frameId?: string): string | undefined {
  if (typeof event.id === 'string' && event.id !== '') {
    return `id ${event.id}`;
  }
  if (event.type === 'agent.message' && typeof event.message_id === 'string') {
    return `message ${event.message_id}`;
  }
  const seq = typeof event.seq === 'number' || typeof event.seq === 'string' ? event.seq : frameId;
  return seq === undefined ? undefined : `seq ${event.type} ${seq}`;
}

/**
 * Names events that nothing names by their place: the third event with this body, from the start of the log. Exact where all
 * events are counted from the start, so a log with such events is always read from there.
 */
export class Places {
  private readonly counts = new Map<string, number>();

  /** The name of the next event with the body of this one. */
  next(event: SessionEvent): string {
    const body = bodyOf(event);
    const count = (this.counts.get(body) ?? 0) + 1;
    this.counts.set(body, count);
    return `${placePrefix}${count} ${body}`;
  }

  /** Counts an event that was named elsewhere. */
  count(event: SessionEvent, name: string): void {
    const body = bodyOf(event);
    const count = Number.parseInt(name.slice(placePrefix.length), 10);
    this.counts.set(body, Math.max(count, this.counts.get(body) ?? 0));
  }
}

const placePrefix = 'place ';

/** Whether a name says nothing but where the event stands. */
export function isPlace(name: string): boolean {
  return name.startsWith(placePrefix);
}

function bodyOf(event: SessionEvent): string {
  return `${event.type} ${fingerprintOf(event)} ${fingerprintOf({ ...event, type: `${event.type}+` })}`;
}

/** The names and bodies of the latest events of a log, to find how far another telling of it overlaps. */
export class Tail {
  private readonly latest: string[] = [];

  add(event: SessionEvent): void {
    this.latest.push(mark(event));
    if (this.latest.length >= 2 * length) {
      this.latest.splice(0, length);
    }
  }

  /** How many events at the start of `events` are, in the same order, the latest of this log. */
  overlap(events: readonly SessionEvent[]): number {
    const first = events.slice(0, length).map(mark);
    for (let count = Math.min(first.length, this.latest.length); count > 0; count--) {
      const from = this.latest.length - count;
      if (first.slice(0, count).every((text, index) => text === this.latest[from + index])) {
        return count;
      }
    }
    return 0;
  }
}

const length = 64;

function mark(event: SessionEvent): string {
  return nameOf(event) ?? bodyOf(event);
}
