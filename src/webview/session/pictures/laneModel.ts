import type { Lane, LaneSegment } from '../../../shared/session/facts/lanes';
import type { TimeSpan } from './timeSpan';

/** Activities of a thread, in drawing order. */
export const laneKinds = ['idle', 'running', 'model', 'tool', 'waiting'] as const satisfies readonly LaneSegment['kind'][];
export type LaneKind = (typeof laneKinds)[number];

/**
 * A lane prepared for drawing and searching: its segments sorted by start, in typed arrays. Segments have times. Drawing and searching use
 * positions, which `toPlace` derives from the times in the same order.
 */
export class LaneModel {
  readonly segments: readonly LaneSegment[];
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  /** Running maximum of the ends of the segments, to find the first segment that overlaps a span. */
  readonly #reach: Float64Array;
  readonly #kinds: Uint8Array;

  constructor(
    readonly lane: Lane,
    toPosition: (time: number) => number = time => time,
  ) {
    this.segments = [...lane.states, ...lane.work].sort((a, b) => a.from - b.from);
    const count = this.segments.length;
    this.#from = new Float64Array(count);
    this.#to = new Float64Array(count);
    this.#reach = new Float64Array(count);
    this.#kinds = new Uint8Array(count);
    let reach = Number.NEGATIVE_INFINITY;
    for (const [index, { from: start, to: end, kind }] of this.segments.entries()) {
      const [from, to] = [toPosition(start), toPosition(end)];
      reach = Math.max(reach, to);
      this.#from[index] = from;
      this.#to[index] = Math.max(from, to);
      this.#reach[index] = reach;
      this.#kinds[index] = laneKinds.indexOf(kind);
    }
  }

  /** From the first start to the last end; `undefined` without segments. */
  get span(): TimeSpan | undefined {
    const count = this.segments.length;
    return count === 0 ? undefined : { from: this.#from[0] ?? 0, to: this.#reach[count - 1] ?? 0 };
  }

  /** Returns the position of a segment; `undefined` if there is no such segment. */
  spanOf(index: number): TimeSpan | undefined {
    const [from, to] = [this.#from[index], this.#to[index]];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  /** Calls `call` for each segment that reaches into the span, in order. `kind` is an index of `laneKinds`. */
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

  /** Returns the segment at a position, within the tolerance, or -1. Of several, prefers the one drawn on top, then the shortest. */
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

  /** Returns the next segment before or after one, or -1. Skips running segments, which say nothing beside the work in them. */
  step(index: number, by: 1 | -1): number {
    for (let next = index + by; next >= 0 && next < this.segments.length; next += by) {
      if (this.segments[next]?.kind !== 'running') {
        return next;
      }
    }
    return -1;
  }

  /** Returns the segment closest to a moment, preferably one that `step` goes to, or -1. */
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

/** Returns the index of the first number that is not below `value`. */
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
