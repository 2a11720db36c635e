import type { Lanes } from '../../../../shared/session/facts/lanes';

/** More points than a chart has pixels are thinned out. */
const mostPoints = 300;

interface ChartPoint {
  readonly seq: number;
  readonly at: number | undefined;
}

/** Where points stand on the axis, never before one that was told earlier. */
export function toMoments(points: readonly ChartPoint[], { axis, from }: Lanes): readonly number[] {
  let last = from;
  return points.map(({ at, seq }) => {
    last = Math.max(last, (axis === 'time' ? at : seq) ?? last);
    return last;
  });
}

/** What the axis along the foot counts. */
export function toAxisWords(axis: Lanes['axis'], isFolded: boolean, t: (text: string) => string): string {
  if (axis === 'order') {
    return t('Across: the events in their order.');
  }
  return isFolded ? t('Across: time since the first event, with long waits folded.') : t('Across: time since the first event.');
}

/** Points as they are, or evenly thinned out to as many as a chart has pixels; the last one always stays. */
export function thinOut<P>(points: readonly P[]): readonly P[] {
  const step = Math.ceil(points.length / mostPoints);
  return step <= 1 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1);
}
