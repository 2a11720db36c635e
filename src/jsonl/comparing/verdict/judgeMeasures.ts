import type { CountedMeasure, Measure } from './measure';
import { alpha, holmCorrection, mcnemarTest, newcombeInterval, pairsNeeded } from './pairedTests';

const maxProposedPairs = 10_000_000;

/** Probability that all intervals together contain the true differences. */
const confidence = 0.95;

/**
 * Adds intervals, tests and verdicts to measures. P-values are corrected by Holm and intervals by Bonferroni, so that many tests don't
 * produce false findings. Holm finds slightly more than Bonferroni: an interval can include 0 although the p-value is below the limit.
 */
export function judgeMeasures(counted: readonly CountedMeasure[]): readonly Measure[] {
  const tests = counted.length;
  const corrected = holmCorrection(counted.map(({ table }) => mcnemarTest(table.worse, table.better)));
  return counted.map((measure, at): Measure => {
    const { table, compared } = measure;
    const p = corrected[at] ?? 1;
    const interval = newcombeInterval(table, 1 - (1 - confidence) / tests);
    const difference = interval?.difference ?? 0;
    const spread = compared === 0 ? 0 : (table.worse + table.better) / compared;
    const more = Math.max(1, pairsNeeded(difference, { spread, tests }) - compared);
    const verdict = p > alpha || difference === 0 ? 'unclear' : difference > 0 ? 'better' : 'worse';
    return { ...measure, interval, p, tests, verdict, more: more <= maxProposedPairs ? more : undefined };
  });
}
