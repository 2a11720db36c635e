import { hasAnswer } from '../../shared/results/resultStatus';
import { checksIn, isAsExpected, isUnusable, type MarkedCheck, toBits } from './expectationMarks';
import { type PairedResult, worthOf } from './kindOfPair';
import { type CountedMeasure, countPairs, type LeftOut, type LeftSide, type LeftWhy } from './verdict/measure';

/** Question about the result of one side of a pair. `expected` holds the bits of the expected checks. */
interface Question {
  readonly tally: PairTally;
  passes(result: PairedResult): boolean;
  /** Returns the reason to exclude the side, or `undefined` to count it. */
  left(result: PairedResult, expected: number): Left;
}

const answered = (): Question => ({
  tally: new PairTally('answered'),
  passes: result => worthOf(result) === 2,
  left: ({ status }) => (isEnded(status) ? 'ended' : undefined),
});

const expectedAll = (): Question => ({
  tally: new PairTally('expected'),
  passes: ({ mark }) => isAsExpected(mark) === true,
  left: leftOf,
});

const expectedOf = (check: MarkedCheck): Question => ({
  tally: new PairTally(check),
  passes: ({ mark }) => !checksIn(mark).includes(check),
  left: (result, expected) => ((expected & toBits([check])) === 0 ? 'notExpected' : leftOf(result)),
});

/**
 * Counts passing and failing answers in two runs. `answered` counts the complete answers to requests that the service processed. With
 * expectations, also counts the answers that meet them, in total and per check, for requests answered in both runs. A partial answer or
 * refusal meets no expectation.
 */
export class PairMeasures {
  private readonly questions: readonly Question[];

  constructor(checks: readonly MarkedCheck[]) {
    // With a single kind of check, its measure would be the same as the total.
    const single = checks.length > 1 ? checks.map(expectedOf) : [];
    this.questions = [...(checks.length > 0 ? [expectedAll()] : []), answered(), ...single];
  }

  /** Counts a pair. `expected` holds the bits of the checks for its request. */
  add(before: PairedResult, after: PairedResult, expected: number): void {
    for (const { tally, passes, left } of this.questions) {
      tally.add(passes(before), passes(after), [left(before, expected), left(after, expected)]);
    }
  }

  /** Counts requests without a result in one of the runs, or in both. */
  addMissing(side: LeftSide, count = 1): void {
    for (const { tally } of this.questions) {
      tally.leave('missing', side, count);
    }
  }

  counted(): readonly CountedMeasure[] {
    return this.questions.map(({ tally }) => tally.counted());
  }
}

function isEnded(status: PairedResult['status']): boolean {
  return status === 'canceled' || status === 'expired';
}

function leftOf({ status, mark }: PairedResult): Left {
  if (!hasAnswer(status)) {
    return isEnded(status) ? 'ended' : 'failed';
  }
  return mark === 0 ? 'notExpected' : isUnusable(mark) ? 'unusable' : undefined;
}

/** Reason to exclude one side of a pair, or `undefined` to count it. */
type Left = LeftWhy | undefined;

/** Counts pairs by whether each side passes, and excluded pairs by reason. */
export class PairTally {
  private readonly table = { bothPass: 0, worse: 0, better: 0, bothFail: 0 };
  private readonly left = new Map<string, LeftOut>();

  constructor(private readonly about: Exclude<CountedMeasure['about'], 'number'>) {}

  /** Counts a pair. The third parameter has the reason to exclude each side. */
  add(before: boolean, after: boolean, [first, second]: readonly [Left, Left]): void {
    const why = first ?? second;
    if (why === undefined) {
      this.table[before ? (after ? 'bothPass' : 'worse') : after ? 'better' : 'bothFail']++;
    } else {
      this.leave(why, first === undefined ? 'after' : second === undefined ? 'before' : 'both', 1);
    }
  }

  leave(why: LeftWhy, side: LeftSide, count: number): void {
    if (count > 0) {
      const key = `${why} ${side}`;
      this.left.set(key, { why, side, count: (this.left.get(key)?.count ?? 0) + count });
    }
  }

  counted(): CountedMeasure {
    const { bothPass, worse, better, bothFail } = this.table;
    const compared = countPairs(this.table);
    const share = (passed: number) => (compared === 0 ? 0 : passed / compared);
    return {
      ...{ about: this.about, compared, table: { bothPass, worse, better, bothFail } },
      left: [...this.left.values()].sort((a, b) => b.count - a.count),
      values: [share(bothPass + worse), share(bothPass + better)],
    };
  }
}
