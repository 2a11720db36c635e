import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import type { TimeSpan } from './timeSpan';

/** No shorter wait is ever folded, in milliseconds. */
export const leastFold = 30_000;

/** A long wait as the picture folds it: `place` is where its break is drawn, on the axis of the picture. */
export interface TimeFold extends QuietStretch {
  readonly place: TimeSpan;
}

/** Share of what is left of the picture that one break takes, and that all of them take at most. */
const shareOfOne = 0.07;
const shareOfAll = 0.5;
/** Folding has to make a wait so many times as short. */
const leastGain = 2;

/**
 * Where moments stand in a picture that folds long waits. Outside of the folds a millisecond of the picture is one of the session; in a
 * fold time passes as evenly, but faster. So what came later always stands further to the right, and each place is one moment.
 */
export class TimeFolds {
  readonly folds: readonly TimeFold[];
  /** What each stretch between two bends begins with; the first stretch reaches back for ever, the last on. */
  readonly #times: readonly number[];
  readonly #places: readonly number[];

  /** `quiet` is ordered, without overlap, and within `whole`. */
  constructor(whole: TimeSpan, quiet: readonly QuietStretch[]) {
    const long = quiet.filter(({ from, to }) => to - from >= leastFold);
    const rest = whole.to - whole.from - long.reduce((sum, { from, to }) => sum + to - from, 0);
    const width = Math.max(1000, rest * Math.min(shareOfOne, shareOfAll / Math.max(1, long.length)));
    const times = [whole.from];
    const places = [whole.from];
    const folds: TimeFold[] = [];
    let saved = 0;
    for (const wait of long.filter(({ from, to }) => to - from >= leastGain * width)) {
      const place = { from: wait.from - saved, to: wait.from - saved + width };
      folds.push({ ...wait, place });
      times.push(wait.from, wait.to);
      places.push(place.from, place.to);
      saved += wait.to - wait.from - width;
    }
    this.folds = folds;
    this.#times = times;
    this.#places = places;
  }

  /** Where a moment stands. */
  toPlace(time: number): number {
    return along(this.#times, this.#places, time);
  }

  /** The moment that stands at a place: what `toPlace` came from. */
  toTime(place: number): number {
    return along(this.#places, this.#times, place);
  }

  toPlaces({ from, to }: TimeSpan): TimeSpan {
    return this.folds.length === 0 ? { from, to } : { from: this.toPlace(from), to: this.toPlace(to) };
  }

  toTimes({ from, to }: TimeSpan): TimeSpan {
    return this.folds.length === 0 ? { from, to } : { from: this.toTime(from), to: this.toTime(to) };
  }

  /** The fold whose break is drawn at a place. */
  at(place: number): TimeFold | undefined {
    const index = lastFrom(this.#places, place);
    // Bends come in pairs after the first: a fold begins at each odd one.
    return index % 2 === 1 ? this.folds[(index - 1) / 2] : undefined;
  }

  /** The stretches of time that are seen between two places and are not folded. */
  between({ from, to }: TimeSpan): readonly TimeSpan[] {
    const stretches: TimeSpan[] = [];
    let at = from;
    for (const { place } of this.folds) {
      if (place.from > to) {
        break;
      }
      if (place.to >= at) {
        if (place.from > at) {
          stretches.push(this.toTimes({ from: at, to: place.from }));
        }
        at = place.to;
      }
    }
    return at < to ? [...stretches, this.toTimes({ from: at, to })] : stretches;
  }
}

/** A value carried over from one row of bends to the other: evenly between two, and one to one before and after all. */
function along(from: readonly number[], to: readonly number[], value: number): number {
  const index = lastFrom(from, value);
  const [start = 0, end] = [from[index], from[index + 1]];
  const [begin = 0, stop] = [to[index], to[index + 1]];
  // Odd ones are folds; everything else keeps its length to the last bit.
  return index % 2 === 0 || end === undefined || stop === undefined
    ? begin + (value - start)
    : begin + ((value - start) / (end - start)) * (stop - begin);
}

/** Index of the last bend that is not after a value; 0 where all are. */
function lastFrom(bends: readonly number[], value: number): number {
  let low = 0;
  let high = bends.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((bends[middle] ?? 0) <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
