import type { QuietStretch } from './quietStretches';
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
 * Maps times to positions on an axis with folded waits. Outside a fold, one unit is a millisecond. Inside a fold, time is compressed
 * evenly. The mapping is strictly increasing and can be inverted.
 */
export class TimeFolds {
  readonly folds: readonly TimeFold[];

  /** `quiet` is ordered, without overlap, and within `whole`. */
  constructor(whole: TimeSpan, quiet: readonly QuietStretch[]) {
    const long = quiet.filter(({ from, to }) => to - from >= minFold);
    const rest = whole.to - whole.from - long.reduce((sum, { from, to }) => sum + to - from, 0);
    const width = Math.max(1000, rest * Math.min(shareOfOne, shareOfAll / Math.max(1, long.length)));
    let saved = 0;
    this.folds = long
      .filter(({ from, to }) => to - from >= minGain * width)
      .map(wait => {
        const from = wait.from - saved;
        saved += wait.to - wait.from - width;
        return { ...wait, axisSpan: { from, to: from + width } };
      });
  }

  toPosition(time: number): number {
    const fold = this.folds.findLast(({ from }) => time >= from);
    return fold === undefined ? time : along(time, fold, fold.axisSpan);
  }

  toTime(position: number): number {
    const fold = this.folds.findLast(({ axisSpan }) => position >= axisSpan.from);
    return fold === undefined ? position : along(position, fold.axisSpan, fold);
  }

  toPositions({ from, to }: TimeSpan): TimeSpan {
    return { from: this.toPosition(from), to: this.toPosition(to) };
  }

  toTimes({ from, to }: TimeSpan): TimeSpan {
    return { from: this.toTime(from), to: this.toTime(to) };
  }

  /** Returns the fold of the same wait as a fold of earlier rows. */
  find({ from }: TimeFold): TimeFold | undefined {
    return this.folds.find(fold => fold.from === from);
  }

  at(position: number): TimeFold | undefined {
    return this.folds.find(({ axisSpan }) => position >= axisSpan.from && position < axisSpan.to);
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

/** Maps a value in or after a fold from one scale to the other. The mapping is linear inside the fold, and one to one after the fold. */
function along(value: number, from: TimeSpan, to: TimeSpan): number {
  return value < from.to ? to.from + ((value - from.from) / (from.to - from.from)) * (to.to - to.from) : to.to + value - from.to;
}
