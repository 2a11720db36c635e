import type { Lanes } from './lanes';
import type { TimeFold, TimeFolds } from './timeFolds';
import { momentsEvery, type TimeSpan, toOffset, toStep } from './timeSpan';

/** Horizontal axis of the lanes or a chart, in pixels. */
export interface TimeAxis {
  readonly width: number;
  readonly toX: (position: number) => number;
  /** Grid lines with their labels. A label is '' if there is no room for it. */
  readonly ticks: readonly { readonly x: number; readonly words: string }[];
  readonly breaks: readonly { readonly wait: TimeFold; readonly from: number; readonly to: number }[];
}

/** A tick of an axis: its distance from the left end in pixels, and its moment. */
interface AxisTick {
  readonly x: number;
  readonly moment: number;
  /** Kind of the tick: a round moment, or the end of a folded wait, after which the time has jumped. */
  readonly is: 'round' | 'foldEnd';
}

/** Minimum distance between the ticks of round moments, in pixels. */
const room = 90;
/** Distance of a label from its tick, in pixels. */
export const beside = 4;
/** Upper bound of the average width of a character in the font of the axis, in pixels, so that nothing has to be measured. */
const letterWidth = 6.5;

/** Fits `span` (in positions; by default, the whole session) into `width` pixels. */
export function toTimeAxis(
  { axis, from, to }: Pick<Lanes, 'axis' | 'from' | 'to'>,
  folds: TimeFolds,
  width: number,
  span: TimeSpan = folds.toPositions({ from, to: Math.max(to, from + 1) }),
): TimeAxis {
  const toX = (position: number): number => ((position - span.from) / Math.max(1, span.to - span.from)) * width;
  const origin = axis === 'time' ? from : 0;
  const { step, ticks } = toAxisTicks(span, origin, width, folds);
  return {
    width,
    toX,
    ticks: withWords(ticks, width, moment => (axis === 'time' ? toOffset(moment - origin, step) : String(Math.round(moment) + 1))),
    breaks: folds.folds
      .filter(({ axisSpan }) => axisSpan.to > span.from && axisSpan.from < span.to)
      .map(wait => ({ wait, from: toX(wait.axisSpan.from), to: toX(wait.axisSpan.to) })),
  };
}

/** Returns the ticks of an axis that shows `span` (in positions) in `width` pixels, from left to right, none of them inside a fold. */
export function toAxisTicks(
  span: TimeSpan,
  origin: number,
  width: number,
  folds: TimeFolds,
): { readonly step: number; readonly ticks: readonly AxisTick[] } {
  const length = Math.max(1, span.to - span.from);
  const step = toStep(length, width / room);
  const toX = (position: number): number => ((position - span.from) / length) * width;
  const ticks: AxisTick[] = folds
    .between(span)
    .flatMap(stretch => momentsEvery(step, stretch, origin))
    .map(moment => ({ x: toX(folds.toPosition(moment)), moment, is: 'round' }));
  for (const { to, axisSpan } of folds.folds) {
    if (axisSpan.to >= span.from && axisSpan.to <= span.to) {
      ticks.push({ x: toX(axisSpan.to), moment: to, is: 'foldEnd' });
    }
  }
  return { step, ticks: ticks.sort((a, b) => a.x - b.x) };
}

/**
 * Adds the labels, slightly to the right of their ticks. A label at the end of a fold is dropped with its tick if it has no room next to
 * round moments.
 */
function withWords(ticks: readonly AxisTick[], width: number, wordsOf: (moment: number) => string): TimeAxis['ticks'] {
  let free = 0;
  return ticks.flatMap(({ x, moment, is }, index) => {
    const words = wordsOf(moment);
    const end = x + beside + words.length * letterWidth;
    const hasRoom = x >= free && end <= width && (is === 'round' || end + 2 * beside <= (ticks[index + 1]?.x ?? width));
    free = hasRoom ? end + beside : free;
    return hasRoom || is === 'round' ? [{ x, words: hasRoom ? words : '' }] : [];
  });
}

interface FoldMark {
  readonly wait: TimeFold;
  readonly left: number;
  readonly width: number;
}

/** Returns the marks of the folded waits in view, from left to right. Marks don't overlap. A mark without room is left out. */
export function toFoldMarks({ breaks, width }: TimeAxis, wordsOf: (wait: TimeFold) => string): readonly FoldMark[] {
  const marks: FoldMark[] = [];
  let free = 0;
  for (const { wait, from, to } of breaks) {
    const own = 8 + wordsOf(wait).length * letterWidth;
    const middle = (Math.max(0, from) + Math.min(width, to)) / 2;
    const left = Math.max(free, Math.min(middle - own / 2, width - own));
    // A mark that was moved aside by the previous mark must still be above its own wait.
    if (left <= middle && left + own <= width) {
      marks.push({ wait, left, width: own });
      free = left + own + 2;
    }
  }
  return marks;
}
