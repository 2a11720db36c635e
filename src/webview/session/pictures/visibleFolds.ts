import type { TimeFold, TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

/** Position of the mark of a long wait above the lanes, in pixels. */
export interface VisibleFold {
  readonly wait: TimeFold;
  readonly left: number;
  readonly width: number;
}

/**
 * Returns the marks of the folded waits in `span` (in positions), shown in `width` pixels, from left to right. Marks don't overlap: one
 * without room is left out until the user zooms in.
 */
export function toVisibleFolds(
  folds: TimeFolds,
  span: TimeSpan,
  width: number,
  widthOf: (wait: TimeFold) => number,
): readonly VisibleFold[] {
  const toX = (place: number): number => ((place - span.from) / Math.max(1, span.to - span.from)) * width;
  const places: VisibleFold[] = [];
  let free = 0;
  for (const wait of folds.folds) {
    const { axisSpan } = wait;
    if (axisSpan.to <= span.from || axisSpan.from >= span.to) {
      continue;
    }
    const own = widthOf(wait);
    const middle = (Math.max(0, toX(axisSpan.from)) + Math.min(width, toX(axisSpan.to))) / 2;
    const left = Math.max(free, Math.min(middle - own / 2, width - own));
    // A mark that was moved aside by its predecessor still has to be above its own wait.
    if (left <= middle && left + own <= width) {
      places.push({ wait, left, width: own });
      free = left + own + 2;
    }
  }
  return places;
}
