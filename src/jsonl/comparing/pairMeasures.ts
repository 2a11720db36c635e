import { failedChecks, isAsExpected, isUnusable, type MarkedCheck, markedChecks } from './expectationMarks';
import type { JudgedSides } from './judgeSides';
import type { PairedRow } from './kindOfPair';
import { type Left, PairTally } from './pairTally';
import type { CountedMeasure, LeftSide } from './verdict/measure';

/**
 * Measures pass and fail in two runs. `answered` counts complete answers over all requests that the service processed. With expectations,
 * also counts those met, in total and per check, over requests answered in both runs. A partial answer or refusal doesn't meet them.
 */
export class PairMeasures {
  private readonly answered = new PairTally('answered');
  private readonly expected: PairTally | undefined;
  private readonly checks: readonly (readonly [MarkedCheck, PairTally])[];

  constructor(private readonly judged: JudgedSides | undefined) {
    const made = judged?.marked ?? [];
    this.expected = made.length > 0 ? new PairTally('expected') : undefined;
    // A single kind of check would repeat the total.
    this.checks = made.length > 1 ? made.map(check => [check, new PairTally(check)] as const) : [];
  }

  /** Adds a request with results in both runs. */
  add(before: PairedRow, after: PairedRow): void {
    const states = [before.side.left(before.row), after.side.left(after.row)] as const;
    const notReached = states.map(state => (state === 'ended' ? state : undefined)) as [Left, Left];
    this.answered.add(before.side.worth(before.row) === 2, after.side.worth(after.row) === 2, notReached);
    if (this.expected === undefined) {
      return;
    }
    const left = [leftOf(states[0], before.mark), leftOf(states[1], after.mark)] as const;
    this.expected.add(isAsExpected(before.mark) === true, isAsExpected(after.mark) === true, left);
    const made = this.judged?.checks[before.row] ?? 0;
    for (const [check, tally] of this.checks) {
      const isMade = (made & (1 << markedChecks.indexOf(check))) !== 0;
      tally.add(
        !failedChecks(before.mark).includes(check),
        !failedChecks(after.mark).includes(check),
        isMade ? left : ['notExpected', 'notExpected'],
      );
    }
  }

  /** Adds requests without a result in one of the runs, or in both. */
  addMissing(side: LeftSide, count = 1): void {
    for (const tally of [this.answered, this.expected, ...this.checks.map(([, one]) => one)]) {
      tally?.leave('missing', side, count);
    }
  }

  /** Returns the measures, most important first. */
  counted(): readonly CountedMeasure[] {
    return [...(this.expected === undefined ? [] : [this.expected]), this.answered, ...this.checks.map(([, tally]) => tally)].map(tally =>
      tally.counted(),
    );
  }
}

function leftOf(state: 'failed' | 'ended' | undefined, mark: number): Left {
  return state ?? (mark === 0 ? 'notExpected' : isUnusable(mark) ? 'unusable' : undefined);
}
