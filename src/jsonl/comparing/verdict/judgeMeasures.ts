import type { CountedMeasure, Measure } from './measure';
import { holmCorrection, mcnemarTest, newcombeInterval } from './pairedTests';

const alpha = 0.05;

/**
 * Adds intervals, tests and verdicts to measures. The p-values are corrected by Holm, so that many tests don't produce false findings. All
 * intervals together contain the true differences with 95 % confidence (Bonferroni). Holm finds slightly more than Bonferroni: an interval
 * can include 0 although the p-value is below the limit.
 */
export function judgeMeasures(counted: readonly CountedMeasure[]): readonly Measure[] {
  const tests = counted.length;
  const corrected = holmCorrection(counted.map(({ table: { worse, better } }) => mcnemarTest(worse, better)));
  return counted.map((measure, at): Measure => {
    const interval = newcombeInterval(measure.table, 1 - alpha / tests);
    const difference = interval?.difference ?? 0;
    const p = corrected[at] as number;
    const verdict = p > alpha || difference === 0 ? 'unclear' : difference > 0 ? 'better' : 'worse';
    return { ...measure, interval, p, tests, verdict };
  });
}
