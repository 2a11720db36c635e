import { existsSync } from 'node:fs';
import type { JoinedReader } from '../answers/answerText';
import { judgeResults } from '../expecting/judgeResults';
import type { PassContext } from '../files/lineFile';
import { checksIn, type MarkedCheck, toBits, toMark } from './expectationMarks';
import type { CompareSource } from './pairRows';

export interface JudgedSides {
  /** Marks by row (see `expectationMarks.ts`). 0 without an expectation. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Expected checks of each row of the first run, as bits of `markedChecks`. */
  readonly checks: Uint8Array;
  readonly marked: readonly MarkedCheck[];
  readonly problems: number;
}

/**
 * Judges both runs by the same expectations, or returns `undefined` if there are no expectations. A pair with different ids is judged by
 * the id of the run that the expectations refer to.
 */
export function judgeSides(
  { before, after, expectations }: CompareSource,
  [first, second]: readonly [JoinedReader, JoinedReader],
  afterOf: Int32Array,
  context: PassContext,
): JudgedSides | undefined {
  if (expectations === undefined || !existsSync(expectations.path)) {
    return undefined;
  }
  const beforeOf = new Int32Array(second.contents.rows.count).fill(-1);
  afterOf.forEach((row, beforeRow) => {
    if (row >= 0) {
      beforeOf[row] = beforeRow;
    }
  });
  const checks = new Uint8Array(first.contents.rows.count);
  let foundChecks = 0;
  const judge = (side: 'before' | 'after') => {
    const isFirst = side === 'before';
    const [own, other, otherOf] = isFirst ? [first, second, afterOf] : [second, first, beforeOf];
    const marks = new Uint8Array(own.contents.rows.count);
    const idOf = (row: number): string | undefined => {
      const otherRow = otherOf[row] as number;
      return expectations.idsOf === side || otherRow < 0 ? own.id(row) : other.id(otherRow);
    };
    const { problems } = judgeResults({ ...(isFirst ? before : after), expectationsPath: expectations.path }, context, {
      idOf,
      onChecked: (row, expected, failed) => {
        marks[row] = toMark(failed);
        if (isFirst) {
          checks[row] = toBits(expected);
          foundChecks |= checks[row] as number;
        }
      },
    });
    // An id that is missing in one of the runs is not counted as a problem.
    return { marks, problems: problems.filter(({ code }) => code !== 'no-such-id').length };
  };
  const judgedBefore = judge('before');
  const judgedAfter = judge('after');
  return {
    ...{ before: judgedBefore.marks, after: judgedAfter.marks, checks },
    marked: checksIn(foundChecks),
    problems: judgedAfter.problems,
  };
}
