import { failedChecks, isAsExpected, isUnusable, type MarkedCheck, markedChecks } from './expectationMarks';
import type { JudgedSides } from './judgeSides';
import type { PairedRow } from './kindOfPair';
import { type Left, PairTally } from './pairTally';
import type { CountedMeasure, LeftSide } from './verdict/measure';

/**
 * What the pass and fail of two runs is counted by: whole answers over all requests that the service came to, and where something is
 * expected, all of it and each kind of check, over requests that both answered: an answer that was cut short or refused fails.
 */
export class PairMeasures {
  private readonly answered = new PairTally('answered');
  private readonly expected: PairTally | undefined;
  private readonly checks: readonly (readonly [MarkedCheck, PairTally])[];

  constructor(private readonly judged: JudgedSides | undefined) {
    const made = judged?.made ?? [];
    this.expected = made.length > 0 ? new PairTally('expected') : undefined;
    // One kind of check alone says the same as all.
    this.checks = made.length > 1 ? made.map(check => [check, new PairTally(check)] as const) : [];
  }

  /** Adds a request that has a result in both. */
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

  /** Adds requests that have no result in one of the runs, or in both. */
  addMissing(side: LeftSide, count = 1): void {
    for (const tally of [this.answered, this.expected, ...this.checks.map(([, one]) => one)]) {
      tally?.leave('missing', side, count);
    }
  }

  /** What matters most first. */
  counted(): readonly CountedMeasure[] {
    return [...(this.expected === undefined ? [] : [this.expected]), this.answered, ...this.checks.map(([, tally]) => tally)].map(tally =>
      tally.counted(),
    );
  }
}

function leftOf(state: 'failed' | 'ended' | undefined, mark: number): Left {
  return state ?? (mark === 0 ? 'notExpected' : isUnusable(mark) ? 'unusable' : undefined);
}
