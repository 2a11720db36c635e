import type { CountedMeasure, Interval, Measure } from './measure';
import { pairedBootstrap } from './pairedBootstrap';
import { alpha, holmCorrection, mcnemarTest, newcombeInterval, type PowerQuestion, pairsNeeded } from './pairedTests';

const maxProposedPairs = 10_000_000;

/** Probability that all intervals of a family contain the true differences. */
const confidence = 0.95;

interface Tested {
  readonly measure: CountedMeasure;
  readonly interval: Interval | undefined;
  readonly p: number;
  readonly question: PowerQuestion;
}

/**
 * Adds intervals, tests and verdicts to measures. Pass and fail measures are one family of tests, numbers in answers another. Within a
 * family, p-values are corrected by Holm and intervals by Bonferroni, so that many tests don't produce false findings. Holm finds slightly
 * more than Bonferroni: an interval can include 0 although the p-value is below the limit. Calls `throwIfAborted` regularly.
 */
export function judgeMeasures(counted: readonly CountedMeasure[], throwIfAborted: () => void): readonly Measure[] {
  const numbers = counted.filter(({ about }) => about === 'number');
  const shares = counted.filter(({ about }) => about !== 'number');
  return [
    ...judgeFamily(shares.map(measure => testShares(measure, shareOf(shares.length)))),
    ...judgeFamily(numbers.map(measure => testNumbers(measure, shareOf(numbers.length), throwIfAborted))),
  ];
}

/** Returns the confidence for each of several intervals that together have `confidence` (Bonferroni), however they depend on each other. */
function shareOf(tests: number): number {
  return 1 - (1 - confidence) / tests;
}

function testShares(measure: CountedMeasure, confidence: number): Tested {
  const { table = { bothPass: 0, worse: 0, better: 0, bothFail: 0 }, compared } = measure;
  const { worse, better } = table;
  const spread = compared === 0 ? 0 : (worse + better) / compared;
  return { measure, interval: newcombeInterval(table, confidence), p: mcnemarTest(worse, better), question: { spread, kind: 'shares' } };
}

function testNumbers(measure: CountedMeasure, confidence: number, throwIfAborted: () => void): Tested {
  const { differences = new Float64Array(0), field = '' } = measure;
  const result = pairedBootstrap(differences, { seed: `comparison ${field}`, confidence, throwIfAborted });
  return {
    measure,
    interval: result && { difference: result.difference, low: result.low, high: result.high },
    p: result?.p ?? 1,
    question: { spread: result?.deviation ?? 0, kind: 'numbers' },
  };
}

function judgeFamily(family: readonly Tested[]): readonly Measure[] {
  const corrected = holmCorrection(family.map(({ p }) => p));
  return family.map(({ measure, interval, question }, at): Measure => {
    const { differences: _, ...counted } = measure;
    const p = corrected[at] ?? 1;
    const powerQuestion = { ...question, tests: family.length };
    const difference = interval?.difference ?? 0;
    const more = Math.max(1, pairsNeeded(difference, powerQuestion) - measure.compared);
    return {
      ...{ ...counted, interval, p, tests: family.length, verdict: verdictOf(difference, p, question.kind) },
      more: more <= maxProposedPairs ? more : undefined,
    };
  });
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
