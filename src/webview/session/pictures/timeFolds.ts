import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import type { TimeSpan } from './timeSpan';

/** Minimum length of a folded wait, in milliseconds. */
export const minFold = 30_000;

/** A folded wait. `axisSpan` is its break, in positions of the axis. */
export interface TimeFold extends QuietStretch {
  readonly axisSpan: TimeSpan;
}

/** Share of the remaining axis for one break, and maximum share of all breaks together. */
const shareOfOne = 0.07;
const shareOfAll = 0.5;
/** Minimum factor by which folding must shorten a wait. */
const minGain = 2;

/**
 * Maps times to positions on an axis with folded waits. Outside a fold, one unit is a millisecond; inside, time is compressed evenly. The
 * mapping is strictly increasing and can be inverted.
 */
export class TimeFolds {
  readonly folds: readonly TimeFold[];
  /**
   * Start of each section, as time and as position. Sections at odd indexes are folds. The first section extends to minus infinity, the
   * last to infinity.
   */
  readonly #times: readonly number[];
  readonly #positions: readonly number[];

  /** `quiet` is ordered, without overlap, and within `whole`. */
  constructor(whole: TimeSpan, quiet: readonly QuietStretch[]) {
    const long = quiet.filter(({ from, to }) => to - from >= minFold);
    const rest = whole.to - whole.from - long.reduce((sum, { from, to }) => sum + to - from, 0);
    const width = Math.max(1000, rest * Math.min(shareOfOne, shareOfAll / Math.max(1, long.length)));
    const times = [whole.from];
    const positions = [whole.from];
    const folds: TimeFold[] = [];
    let saved = 0;
    for (const wait of long.filter(({ from, to }) => to - from >= minGain * width)) {
      const axisSpan = { from: wait.from - saved, to: wait.from - saved + width };
      folds.push({ ...wait, axisSpan });
      times.push(wait.from, wait.to);
      positions.push(axisSpan.from, axisSpan.to);
      saved += wait.to - wait.from - width;
    }
    this.folds = folds;
    this.#times = times;
    this.#positions = positions;
  }

  toPosition(time: number): number {
    return along(this.#times, this.#positions, time);
  }

  toTime(position: number): number {
    return along(this.#positions, this.#times, position);
  }

  toPositions({ from, to }: TimeSpan): TimeSpan {
    return this.folds.length === 0 ? { from, to } : { from: this.toPosition(from), to: this.toPosition(to) };
  }

  toTimes({ from, to }: TimeSpan): TimeSpan {
    return this.folds.length === 0 ? { from, to } : { from: this.toTime(from), to: this.toTime(to) };
  }

  at(position: number): TimeFold | undefined {
    const index = lastFrom(this.#positions, position);
    // A fold is the section at each odd index.
    return index % 2 === 1 ? this.folds[(index - 1) / 2] : undefined;
  }

  /** Returns the times between two positions that are not folded. */
  between({ from, to }: TimeSpan): readonly TimeSpan[] {
    const inside = this.folds.filter(({ axisSpan }) => axisSpan.to >= from && axisSpan.from <= to);
    const starts = [from, ...inside.map(({ axisSpan }) => axisSpan.to)];
    const ends = [...inside.map(({ axisSpan }) => axisSpan.from), to];
    return starts.flatMap((start, index) => {
      const end = ends[index] ?? to;
      return start < end ? [this.toTimes({ from: start, to: end })] : [];
    });
  }
}

/** Maps a value from one scale to the other: linearly inside a fold, one to one elsewhere. */
function along(from: readonly number[], to: readonly number[], value: number): number {
  const index = lastFrom(from, value);
  const [start = 0, end] = [from[index], from[index + 1]];
  const [target = 0, targetEnd] = [to[index], to[index + 1]];
  // Sections at even indexes are not folds and keep their exact length.
  return index % 2 === 0 || end === undefined || targetEnd === undefined
    ? target + (value - start)
    : target + ((value - start) / (end - start)) * (targetEnd - target);
}

/** Returns the index of the last section start that is not above `value`; 0 if all are above. */
function lastFrom(bends: readonly number[], value: number): number {
  return Math.max(
    0,
    bends.findLastIndex(bend => bend <= value),
  );
}
