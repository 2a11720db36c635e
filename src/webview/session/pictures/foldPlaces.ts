import type { TimeFold, TimeFolds } from './timeFolds';
import type { TimeSpan } from './timeSpan';

/** Where the mark of a long wait stands above the lanes, in pixels. */
export interface FoldPlace {
  readonly wait: TimeFold;
  readonly left: number;
  readonly width: number;
}

/**
 * The marks of the long waits that a picture of `span` (in places) shows in `width` pixels, over each, from left to right. None covers
 * another: what has no room has no mark until the picture is zoomed.
 */
export function toFoldPlaces(folds: TimeFolds, span: TimeSpan, width: number, widthOf: (wait: TimeFold) => number): readonly FoldPlace[] {
  const toX = (place: number): number => ((place - span.from) / Math.max(1, span.to - span.from)) * width;
  const places: FoldPlace[] = [];
  let free = 0;
  for (const wait of folds.folds) {
    const { place } = wait;
    if (place.to <= span.from || place.from >= span.to) {
      continue;
    }
    const own = widthOf(wait);
    const middle = (Math.max(0, toX(place.from)) + Math.min(width, toX(place.to))) / 2;
    const left = Math.max(free, Math.min(middle - own / 2, width - own));
    // Moved aside by the one before it, it still has to stand over its own.
    if (left <= middle && left + own <= width) {
      places.push({ wait, left, width: own });
      free = left + own + 2;
    }
  }
  return places;
}
