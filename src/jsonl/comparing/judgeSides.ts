import { existsSync } from 'node:fs';
import { judgeResults } from '../expecting/judgeResults';
import type { PassContext } from '../files/lineFile';
import type { JoinedResults } from '../results/joinedResults';
import type { CompareSource } from './comparingJobs';
import { checksIn, type MarkedCheck, toBits, toMark } from './expectationMarks';
import type { SideReader } from './sideReader';

/** Judgement of the answers of both runs by one expectations file. */
export interface JudgedSides {
  /** Marks by row (see `expectationMarks.ts`); 0 without an expectation. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Expected checks of each row of the first run, as bits of `markedChecks`. */
  readonly checks: Uint8Array;
  readonly marked: readonly MarkedCheck[];
  readonly problems: number;
}

/** Judges both runs by the same expectations, or returns `undefined` without any. */
export function judgeSides(
  { before, after, expectationsPath }: CompareSource,
  [first, second]: readonly [SideReader, SideReader],
  context: PassContext,
): JudgedSides | undefined {
  if (expectationsPath === undefined || !existsSync(expectationsPath)) {
    return undefined;
  }
  const checks = new Uint8Array(first.count);
  let foundChecks = 0;
  const judge = (side: JoinedResults, { count }: SideReader, onExpected: (row: number, expected: number) => void) => {
    const marks = new Uint8Array(count);
    const { problems } = judgeResults({ ...side, expectationsPath }, context, (row, expected, failed) => {
      marks[row] = toMark(failed);
      onExpected(row, toBits(expected));
    });
    // An id that one of the runs lacks is not a problem of the line.
    return { marks, problems: problems.filter(({ code }) => code !== 'no-such-id').length };
  };
  const judgedBefore = judge(before, first, (row, expected) => {
    checks[row] = expected;
    foundChecks |= expected;
  });
  const judgedAfter = judge(after, second, () => undefined);
  return {
    ...{ before: judgedBefore.marks, after: judgedAfter.marks, checks },
    marked: checksIn(foundChecks),
    problems: judgedAfter.problems,
  };
}
