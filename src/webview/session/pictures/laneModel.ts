import type { Lane, LaneSegment } from '../../../shared/session/facts/lanes';
import type { TimeSpan } from './timeSpan';

/** What a thread did, in the order in which kinds are drawn over each other. */
export const laneKinds = ['idle', 'running', 'model', 'tool', 'waiting'] as const satisfies readonly LaneSegment['kind'][];
export type LaneKind = (typeof laneKinds)[number];

/**
 * A lane made ready to be drawn and searched: its segments by their beginnings, in arrays of numbers. Segments tell their own times; where
 * they are drawn, and are looked for, is what `toPlace` makes of these, which keeps their order.
 */
export class LaneModel {
  readonly segments: readonly LaneSegment[];
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  /** The latest end of all segments up to each: where to begin looking for those that reach into a span. */
  readonly #reach: Float64Array;
  readonly #kinds: Uint8Array;

  constructor(
    readonly lane: Lane,
    toPlace: (time: number) => number = time => time,
  ) {
    this.segments = [...lane.states, ...lane.work].sort((a, b) => a.from - b.from);
    const count = this.segments.length;
    this.#from = new Float64Array(count);
    this.#to = new Float64Array(count);
    this.#reach = new Float64Array(count);
    this.#kinds = new Uint8Array(count);
    let reach = Number.NEGATIVE_INFINITY;
    for (const [index, { from: start, to: end, kind }] of this.segments.entries()) {
      const [from, to] = [toPlace(start), toPlace(end)];
      reach = Math.max(reach, to);
      this.#from[index] = from;
      this.#to[index] = Math.max(from, to);
      this.#reach[index] = reach;
      this.#kinds[index] = laneKinds.indexOf(kind);
    }
  }

  /** From the first beginning to the last end; undefined without segments. */
  get span(): TimeSpan | undefined {
    const count = this.segments.length;
    return count === 0 ? undefined : { from: this.#from[0] ?? 0, to: this.#reach[count - 1] ?? 0 };
  }

  /** Where a segment is drawn; undefined without it. */
  placeOf(index: number): TimeSpan | undefined {
    const [from, to] = [this.#from[index], this.#to[index]];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  /** Calls for each segment that reaches into the span, in order: `kind` is an index of `laneKinds`. */
  forEachIn({ from, to }: TimeSpan, call: (index: number, kind: number, from: number, to: number) => void): void {
    const count = this.segments.length;
    for (let index = this.#firstReaching(from); index < count; index++) {
      const start = this.#from[index] as number;
      if (start > to) {
        return;
      }
      const end = this.#to[index] as number;
      if (end >= from) {
        call(index, this.#kinds[index] as number, start, end);
      }
    }
  }

  /** The segment at a moment, give or take; of several the one drawn on top, and of those the shortest. -1 when there is none. */
  at(moment: number, tolerance: number): number {
    let found = -1;
    let kindFound = -1;
    let lengthFound = 0;
    this.forEachIn({ from: moment - tolerance, to: moment + tolerance }, (index, kind, from, to) => {
      const isBetter = found === -1 || kind > kindFound || (kind === kindFound && to - from < lengthFound);
      if (isBetter) {
        found = index;
        kindFound = kind;
        lengthFound = to - from;
      }
    });
    return found;
  }

  /** The next segment before or after one; that a thread runs says nothing beside what it does. -1 where there is none. */
  step(index: number, by: 1 | -1): number {
    for (let next = index + by; next >= 0 && next < this.segments.length; next += by) {
      if (this.segments[next]?.kind !== 'running') {
        return next;
      }
    }
    return -1;
  }

  /** The segment that is nearest to a moment, by preference one that `step` goes to; -1 when there is none. */
  nearest(moment: number): number {
    const inside = this.at(moment, 0);
    if (inside !== -1 && this.segments[inside]?.kind !== 'running') {
      return inside;
    }
    const place = lowerBound(this.#from, moment);
    const after = this.step(place - 1, 1);
    const before = this.step(place, -1);
    if (after === -1 || before === -1) {
      return after === before ? inside : Math.max(after, before);
    }
    return moment - (this.#to[before] as number) <= (this.#from[after] as number) - moment ? before : after;
  }

  #firstReaching(moment: number): number {
    return lowerBound(this.#reach, moment);
  }
}

/** Place of the first number that is not below `value`. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
