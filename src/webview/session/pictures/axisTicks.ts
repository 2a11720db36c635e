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
