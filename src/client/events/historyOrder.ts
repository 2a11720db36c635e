import { idOf } from '../transport/pagination';
import type { SessionEvent } from './eventLog';

export type Direction = 'oldestFirst' | 'newestFirst';

/**
 * Returns the direction that the events prove, or `undefined` without a proof. In the oldest-first direction, results follow their calls,
 * and numbers and times grow. `ordinalOf` returns the position of a known event.
 */
export function directionOf(
  events: readonly SessionEvent[],
  ordinalOf: (event: SessionEvent) => number | undefined = () => undefined,
): Direction | undefined {
  return (
    byPositions(events.map(ordinalOf)) ??
    byPositions(events.map(event => (typeof event.seq === 'number' ? event.seq : undefined))) ??
    byReferences(events) ??
    timesOf(events).reduce<Direction | undefined>((found, times) => found ?? byPositions(times), undefined)
  );
}

/** Returns whether two first pages, requested in both orders, show that the service honours the order. */
export function heedsOrder(one: readonly SessionEvent[], other: readonly SessionEvent[]): boolean {
  const positions = new Map(one.map((event, index) => [idOf(event), index]));
  const shared = other
    .map(event => (idOf(event) === undefined ? undefined : positions.get(idOf(event))))
    .filter(position => position !== undefined);
  if (shared.length > 1) {
    return byPositions(shared) === 'newestFirst';
  }
  // Two pages with almost no common events are the two ends of a long log, or both contain the newest events.
  const direction = directionOf(one);
  return direction === undefined ? idOf(one[0]) !== idOf(other[0]) : directionOf(other) !== direction;
}

function byPositions(positions: readonly (number | undefined)[]): Direction | undefined {
  let balance = 0;
  let last: number | undefined;
  for (const position of positions) {
    if (position !== undefined) {
      balance += last === undefined ? 0 : Math.sign(position - last);
      last = position;
    }
  }
  return balance === 0 ? undefined : balance > 0 ? 'oldestFirst' : 'newestFirst';
}

const referring = ['tool_use_id', 'mcp_tool_use_id', 'custom_tool_use_id', 'model_request_start_id', 'outcome_evaluation_start_id'];

function byReferences(events: readonly SessionEvent[]): Direction | undefined {
  const positions = new Map(events.map((event, index) => [idOf(event), index]));
  let balance = 0;
  events.forEach((event, index) => {
    const { event_ids: waitedFor } = (event.stop_reason ?? {}) as { readonly event_ids?: unknown };
    for (const target of [...referring.map(name => event[name]), ...(Array.isArray(waitedFor) ? waitedFor : [])]) {
      const position = typeof target === 'string' ? positions.get(target) : undefined;
      balance += position === undefined ? 0 : Math.sign(index - position);
    }
  });
  return balance === 0 ? undefined : balance > 0 ? 'oldestFirst' : 'newestFirst';
}

/** Returns the times of events, the most reliable kind first. The creation time is more reliable than the processing time. */
function timesOf(events: readonly SessionEvent[]): (number | undefined)[][] {
  return ['created_at', 'timestamp', 'ts', 'processed_at_ms', 'processed_at'].map(name =>
    events.map(event => {
      const value = event[name];
      const time = typeof value === 'string' ? Date.parse(value) : value;
      return typeof time === 'number' && !Number.isNaN(time) ? time : undefined;
    }),
  );
}
