import type { TimeFolds } from './timeFolds';
import { momentsEvery, type TimeSpan, toStep } from './timeSpan';

/** A mark of an axis: in pixels from its left end, with the moment that it stands for. */
export interface AxisTick {
  readonly x: number;
  readonly moment: number;
  /** What it stands at: a round moment, or the end of a folded wait, from where on time is to be read anew. */
  readonly is: 'round' | 'foldEnd';
}

/** How far apart ticks stand at least, in pixels. */
const room = 90;
/** How far to the right of its tick a word stands, in pixels. */
export const beside = 4;

/** The ticks of an axis that shows `span` (of the picture, in places) in `width` pixels, from left to right, none of them in a fold. */
export function toAxisTicks(
  span: TimeSpan,
  origin: number,
  width: number,
  folds: TimeFolds,
): { readonly step: number; readonly ticks: readonly AxisTick[] } {
  const length = Math.max(1, span.to - span.from);
  const step = toStep(length, width / room);
  const toX = (moment: number, place: number = folds.toPlace(moment)): number => ((place - span.from) / length) * width;
  const ticks: AxisTick[] = folds
    .between(span)
    .flatMap(stretch => momentsEvery(step, stretch, origin).map(moment => ({ x: toX(moment), moment, is: 'round' as const })));
  for (const { to, place } of folds.folds) {
    if (place.to >= span.from && place.to <= span.to) {
      ticks.push({ x: toX(to, place.to), moment: to, is: 'foldEnd' });
    }
  }
  return { step, ticks: ticks.sort((a, b) => a.x - b.x) };
}

/**
 * What to write beside each tick, a little to its right; '' where there is no room for it. A round moment is worth more than the one at
 * which a fold happens to end.
 */
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
