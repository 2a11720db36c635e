import type { CountedMeasure, Interval, Measure } from './measure';
import { alpha, holmCorrection, mcnemarTest, newcombeInterval, type PowerQuestion, pairedTTest, pairsNeeded } from './pairedTests';

const maxProposedPairs = 10_000_000;

/** Probability that all intervals of a family contain the true differences. */
const confidence = 0.95;

interface Tested {
  readonly interval: Interval | undefined;
  readonly p: number;
  /** See `PowerQuestion`. */
  readonly spread: number;
}

/**
 * Adds intervals, tests and verdicts to measures. Pass and fail measures form one family of tests, and numbers in answers another. Within a
 * family, p-values are corrected by Holm and intervals by Bonferroni, because one of many tests would otherwise be significant by chance.
 * Holm is less strict, so an interval can include 0 although the corrected p-value is significant.
 */
export function judgeMeasures(counted: readonly CountedMeasure[]): readonly Measure[] {
  const isNumber = ({ about }: CountedMeasure) => about === 'number';
  return [counted.filter(measure => !isNumber(measure)), counted.filter(isNumber)].flatMap(judgeFamily);
}

function judgeFamily(family: readonly CountedMeasure[]): readonly Measure[] {
  const tests = family.length;
  // With Bonferroni, all intervals together have `confidence`, whether or not they are independent.
  const tested = family.map(measure => test(measure, 1 - (1 - confidence) / tests));
  const corrected = holmCorrection(tested.map(({ p }) => p));
  return family.map(({ differences: _, ...counted }, at): Measure => {
    const { interval, spread } = tested[at] as Tested;
    const kind = counted.about === 'number' ? 'numbers' : 'shares';
    const p = corrected[at] as number;
    const difference = interval?.difference ?? 0;
    const more = Math.max(1, pairsNeeded(difference, { spread, kind, tests }) - counted.compared);
    const verdict = verdictOf(difference, p, kind);
    return { ...counted, interval, p, tests, verdict, more: more <= maxProposedPairs ? more : undefined };
  });
}

function test({ about, differences, table, compared }: CountedMeasure, share: number): Tested {
  if (about === 'number') {
    const found = differences && pairedTTest(differences, share);
    return { interval: found?.interval, p: found?.p ?? 1, spread: found?.deviation ?? 0 };
  }
  const { worse = 0, better = 0 } = table ?? {};
  const spread = compared === 0 ? 0 : (worse + better) / compared;
  return { interval: table && newcombeInterval(table, share), p: mcnemarTest(worse, better), spread };
}

function verdictOf(difference: number, p: number, kind: PowerQuestion['kind']): Measure['verdict'] {
  if (p > alpha || difference === 0) {
    return 'unclear';
  }
  if (kind === 'numbers') {
    return difference > 0 ? 'higher' : 'lower';
  }
  return difference > 0 ? 'better' : 'worse';
}
