import type { SessionEvent } from '../schemas/sessionEvents';
import { idOf } from '../transport/pagination';

/** Which way a page of events runs. */
export type Direction = 'oldestFirst' | 'newestFirst';

/**
 * Which way these events run, as far as they prove it themselves: events that answer others come after them; numbers and times
 * grow. Undefined when nothing tells. `ordinalOf` gives the place of events that are known.
 */
export function directionOf(
  events: readonly SessionEvent[],
  ordinalOf: (event: SessionEvent) => number | undefined = () => undefined,
): Direction | undefined {
  return (
    byPlaces(events.map(ordinalOf)) ??
    byPlaces(events.map(event => (typeof event.seq === 'number' ? event.seq : undefined))) ??
    byReferences(events) ??
    timesOf(events).reduce<Direction | undefined>((found, times) => found ?? byPlaces(times), undefined)
  );
}

/** Whether two first pages, asked for in the two orders, show that the service heeds the order. */
export function heedsOrder(one: readonly SessionEvent[], other: readonly SessionEvent[]): boolean {
  const places = new Map(one.map((event, index) => [idOf(event), index]));
  const shared = other.map(event => (idOf(event) === undefined ? undefined : places.get(idOf(event)))).filter(place => place !== undefined);
  if (shared.length > 1) {
    return byPlaces(shared) === 'newestFirst';
  }
  // Pages that have next to nothing in common are the two ends of a long log, or what was newest at two times.
  const told = directionOf(one);
  return told === undefined ? idOf(one[0]) !== idOf(other[0]) : directionOf(other) !== told;
}

function byPlaces(places: readonly (number | undefined)[]): Direction | undefined {
  let balance = 0;
  let last: number | undefined;
  for (const place of places) {
    if (place !== undefined) {
      balance += last === undefined ? 0 : Math.sign(place - last);
      last = place;
    }
  }
  return balance === 0 ? undefined : balance > 0 ? 'oldestFirst' : 'newestFirst';
}

const referring = ['tool_use_id', 'mcp_tool_use_id', 'custom_tool_use_id', 'model_request_start_id', 'outcome_evaluation_start_id'];

function byReferences(events: readonly SessionEvent[]): Direction | undefined {
  const places = new Map(events.map((event, index) => [idOf(event), index]));
  let balance = 0;
  events.forEach((event, index) => {
    for (const name of referring) {
      const target = event[name];
      const place = typeof target === 'string' ? places.get(target) : undefined;
      balance += place === undefined ? 0 : Math.sign(index - place);
    }
  });
  return balance === 0 ? undefined : balance > 0 ? 'oldestFirst' : 'newestFirst';
}

/** The times of events, of the best kind first: when an event was taken up says less than when it was made. */
function timesOf(events: readonly SessionEvent[]): (number | undefined)[][] {
  return ['created_at', 'timestamp', 'ts', 'processed_at_ms', 'processed_at'].map(name =>
    events.map(event => {
      const value = event[name];
      const time = typeof value === 'string' ? Date.parse(value) : value;
      return typeof time === 'number' && !Number.isNaN(time) ? time : undefined;
    }),
  );
}
