import type { TimeFolds } from './timeFolds';
import { momentsEvery, type TimeSpan, toStep } from './timeSpan';

/** A tick of an axis: its distance from the left end in pixels, and its moment. */
export interface AxisTick {
  readonly x: number;
  readonly moment: number;
  /** Kind of the tick: a round moment, or the end of a folded wait, after which the time has jumped. */
  readonly is: 'round' | 'foldEnd';
}

/** Minimum distance between ticks, in pixels. */
const room = 90;
/** Distance of a label from its tick, in pixels. */
export const beside = 4;

/** Returns the ticks of an axis that shows `span` (in positions) in `width` pixels, from left to right, none of them inside a fold. */
export function toAxisTicks(
  span: TimeSpan,
  origin: number,
  width: number,
  folds: TimeFolds,
): { readonly step: number; readonly ticks: readonly AxisTick[] } {
  const length = Math.max(1, span.to - span.from);
  const step = toStep(length, width / room);
  const toX = (moment: number, place: number = folds.toPosition(moment)): number => ((place - span.from) / length) * width;
  const ticks: AxisTick[] = folds
    .between(span)
    .flatMap(stretch => momentsEvery(step, stretch, origin).map(moment => ({ x: toX(moment), moment, is: 'round' as const })));
  for (const { to, axisSpan } of folds.folds) {
    if (axisSpan.to >= span.from && axisSpan.to <= span.to) {
      ticks.push({ x: toX(to, axisSpan.to), moment: to, is: 'foldEnd' });
    }
  }
  return { step, ticks: ticks.sort((a, b) => a.x - b.x) };
}

/** Returns the label of each tick, a little to its right; '' if there is no room. Round moments take precedence over the ends of folds. */
export function toTickWords(
  ticks: readonly AxisTick[],
  width: number,
  wordsOf: (moment: number) => string,
  widthOf: (words: string) => number,
): readonly string[] {
  let free = 0;
  return ticks.map(({ x, moment, is }, index) => {
    const words = wordsOf(moment);
    const end = x + beside + widthOf(words);
    const hasRoom = x >= free && end <= width && (is === 'round' || end + 2 * beside <= (ticks[index + 1]?.x ?? width));
    free = hasRoom ? end + beside : free;
    return hasRoom ? words : '';
  });
}
