import { checksIn, isAsExpected, isUnusable, type MarkedCheck, markedChecks } from './expectationMarks';
import type { JudgedSides } from './judgeSides';
import type { PairedRow } from './kindOfPair';
import { type CountedMeasure, countPairs, type LeftOut, type LeftSide, type LeftWhy } from './verdict/measure';

/**
 * Counts passing and failing answers in two runs. `answered` counts the complete answers to requests that the service processed. With
 * expectations, also counts the answers that meet them, in total and per check, for requests answered in both runs. A partial answer or
 * refusal meets no expectation.
 */
export class PairMeasures {
  private readonly answered = new PairTally('answered');
  private readonly expected: PairTally | undefined;
  private readonly checks: readonly (readonly [MarkedCheck, PairTally])[];

  constructor(private readonly judged: JudgedSides | undefined) {
    const marked = judged?.marked ?? [];
    this.expected = marked.length > 0 ? new PairTally('expected') : undefined;
    // With a single kind of check, its measure would be the same as the total.
    this.checks = marked.length > 1 ? marked.map(check => [check, new PairTally(check)] as const) : [];
  }

  add(before: PairedRow, after: PairedRow): void {
    const states = [before.side.left(before.row), after.side.left(after.row)] as const;
    const notReached = states.map(state => (state === 'ended' ? state : undefined)) as [Left, Left];
    this.answered.add(before.side.worth(before.row) === 2, after.side.worth(after.row) === 2, notReached);
    if (this.expected === undefined) {
      return;
    }
    const left = [leftOf(states[0], before.mark), leftOf(states[1], after.mark)] as const;
    this.expected.add(isAsExpected(before.mark) === true, isAsExpected(after.mark) === true, left);
    const expected = this.judged?.checks[before.row] ?? 0;
    for (const [check, tally] of this.checks) {
      const isExpected = (expected & (1 << markedChecks.indexOf(check))) !== 0;
      tally.add(
        !checksIn(before.mark).includes(check),
        !checksIn(after.mark).includes(check),
        isExpected ? left : ['notExpected', 'notExpected'],
      );
    }
  }

  /** Counts requests without a result in one of the runs, or in both. */
  addMissing(side: LeftSide, count = 1): void {
    for (const tally of [this.answered, this.expected, ...this.checks.map(([, one]) => one)]) {
      tally?.leave('missing', side, count);
    }
  }

  counted(): readonly CountedMeasure[] {
    return [...(this.expected === undefined ? [] : [this.expected]), this.answered, ...this.checks.map(([, tally]) => tally)].map(tally =>
      tally.counted(),
    );
  }
}

function leftOf(state: 'failed' | 'ended' | undefined, mark: number): Left {
  return state ?? (mark === 0 ? 'notExpected' : isUnusable(mark) ? 'unusable' : undefined);
}

/** Reason to exclude one side of a pair, or `undefined` to count it. */
export type Left = LeftWhy | undefined;

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
