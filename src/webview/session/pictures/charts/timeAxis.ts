import type { Lanes } from '../../../../shared/session/facts/lanes';
import { toAxisTicks, toTickWords } from '../axisTicks';
import type { TimeFolds } from '../timeFolds';
import { toOffset } from '../timeSpan';

/** Horizontal axis of a chart, in pixels. The same as that of the lanes, with the same waits folded. */
export interface TimeAxis {
  readonly width: number;
  /** Returns the x position of a moment, or of an index in the order of events if no times are reported. */
  readonly toX: (moment: number) => number;
  readonly ticks: readonly { readonly x: number; readonly words: string }[];
  /** Start and end of each folded wait. */
  readonly breaks: readonly { readonly from: number; readonly to: number }[];
}

/** Upper bound of the average width of a character in the axis font, in pixels. */
const letter = 6.5;

/** Fits the whole session into `width` pixels. */
export function toTimeAxis({ axis, from, to }: Pick<Lanes, 'axis' | 'from' | 'to'>, folds: TimeFolds, width: number): TimeAxis {
  const span = folds.toPositions({ from, to: Math.max(to, from + 1) });
  const at = (place: number): number => ((place - span.from) / Math.max(1, span.to - span.from)) * width;
  const origin = axis === 'time' ? from : 0;
  const { step, ticks } = toAxisTicks(span, origin, width, folds);
  const words = toTickWords(
    ticks,
    width,
    moment => (axis === 'time' ? toOffset(moment - origin, step) : String(Math.round(moment) + 1)),
    text => text.length * letter,
  );
  return {
    width,
    toX: moment => at(folds.toPosition(moment)),
    ticks: ticks.flatMap(({ x, is }, index) => (is === 'round' || words[index] !== '' ? [{ x, words: words[index] ?? '' }] : [])),
    breaks: folds.folds.map(({ axisSpan }) => ({ from: at(axisSpan.from), to: at(axisSpan.to) })),
  };
}
