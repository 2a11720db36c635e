import { fingerprintOf } from './eventFingerprint';
import type { SessionEvent } from './eventLog';

/** Event with its name (`nameOf`), if it has one. */
export interface Named {
  readonly event: SessionEvent;
  readonly name: string | undefined;
}

/**
 * Returns the name of an event, by which two copies of it are recognized as one. The name is the `id` with the type, because some servers
 * give a call and its result the same id. Looser dialects identify an event by the `message_id` of an agent's message, or by a `seq`. A
 * stream may send the `seq` as the `id:` line of the frame. Returns `undefined` for an event without any of these fields.
 */
export function nameOf(event: SessionEvent, frameId?: string): string | undefined {
  if (typeof event.id === 'string' && event.id !== '') {
    return `id ${event.type} ${event.id}`;
  }
  if (event.type === 'agent.message' && typeof event.message_id === 'string') {
    return `message ${event.message_id}`;
  }
  const seq = typeof event.seq === 'number' || typeof event.seq === 'string' ? event.seq : frameId;
  return seq === undefined ? undefined : `seq ${event.type} ${seq}`;
}

/**
 * Names events that have no id by their position, such as "the third event with this body from the start of the log". The names are exact
 * only if all events are counted, so a log with such events is always read from its start.
 */
export class PositionNames {
  private readonly counts = new Map<string, number>();

  /** Returns the name of the next event with the same body. */
  next(event: SessionEvent): string {
    const body = bodyOf(event);
    const count = (this.counts.get(body) ?? 0) + 1;
    this.counts.set(body, count);
    return `${positionPrefix}${count} ${body}`;
  }

  count(event: SessionEvent, name: string): void {
    const body = bodyOf(event);
    const count = Number.parseInt(name.slice(positionPrefix.length), 10);
    this.counts.set(body, Math.max(count, this.counts.get(body) ?? 0));
  }
}

const positionPrefix = 'place ';

export function isPositionName(name: string): boolean {
  return name.startsWith(positionPrefix);
}

function bodyOf(event: SessionEvent): string {
  return `${event.type} ${fingerprintOf(event)} ${fingerprintOf({ ...event, type: `${event.type}+` })}`;
}

/** Bodies of the latest unnamed events, to find how far another copy of the log overlaps. */
export class Tail {
  private readonly latest: string[] = [];

  add(event: SessionEvent): void {
    this.latest.push(bodyOf(event));
    if (this.latest.length >= 2 * longestOverlap) {
      this.latest.splice(0, longestOverlap);
    }
  }

  /** Returns how many events at the start of `events` equal the latest events of this log, in order. Linear for any input. */
  overlap(events: readonly SessionEvent[]): number {
    const wanted = events.slice(0, longestOverlap).map(bodyOf);
    // Table of the Knuth-Morris-Pratt search. For each matching prefix, contains the length of the next shorter prefix that also matches.
    const shorter = [0];
    const next = (count: number, body: string | undefined): number => {
      let matching = count;
      while (matching > 0 && (matching === wanted.length || wanted[matching] !== body)) {
        matching = shorter[matching - 1] ?? 0;
      }
      return wanted[matching] === body ? matching + 1 : matching;
    };
    for (let index = 1; index < wanted.length; index++) {
      shorter.push(next(shorter[index - 1] ?? 0, wanted[index]));
    }
    return wanted.length === 0 ? 0 : this.latest.slice(-wanted.length).reduce(next, 0);
  }
}

/** Longest overlap to look for. The buffer of a stream holds no more events. */
const longestOverlap = 20_000;
