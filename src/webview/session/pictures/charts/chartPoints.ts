import type { Lanes } from '../../../../shared/session/facts/lanes';

/** Maximum number of points: a chart has about this many pixels. */
const mostPoints = 300;

interface ChartPoint {
  readonly seq: number;
  readonly at: number | undefined;
}

/** Returns the moments of points on the axis, none before the previous one. */
export function toMoments(points: readonly ChartPoint[], { axis, from }: Lanes): readonly number[] {
  let last = from;
  return points.map(({ at, seq }) => {
    last = Math.max(last, (axis === 'time' ? at : seq) ?? last);
    return last;
  });
}

/** Returns a sentence that explains the horizontal axis. */
export function toAxisWords(axis: Lanes['axis'], isFolded: boolean, t: (text: string) => string): string {
  if (axis === 'order') {
    return t('Across: the events in their order.');
  }
  return isFolded ? t('Across: time since the first event, with long waits folded.') : t('Across: time since the first event.');
}

/** Returns the points, evenly thinned out to about one per pixel. Always includes the last one. */
export function thinOut<P>(points: readonly P[]): readonly P[] {
  const step = Math.ceil(points.length / mostPoints);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
