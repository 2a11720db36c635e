import { existsSync } from 'node:fs';
import type { ExpectationCheck } from '../expecting/expectingJobs';
import { judgeResults } from '../expecting/judgeResults';
import type { PassContext } from '../files/lineFile';
import type { CompareSource } from './comparingJobs';
import { type MarkedCheck, markedChecks, toMark } from './expectationMarks';
import type { SideReader } from './sideReader';

/** What the answers of both runs are by one file of expectations. */
export interface JudgedSides {
  /** By row: see `expectationMarks.ts`; 0 where nothing is expected. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** By row of the first run, bits of `markedChecks`: what is expected of its request. */
  readonly checks: Uint8Array;
  /** The checks that are made at all. */
  readonly made: readonly MarkedCheck[];
  /** Lines that cannot be used. */
  readonly problems: number;
}

/** Judges both runs by the same expectations; undefined without any. A request whose id differs is judged by the one that the file names. */
export function judgeSides(
  { before, after, expectations }: CompareSource,
  [first, second]: readonly [SideReader, SideReader],
  afterOf: Int32Array,
  context: PassContext,
): JudgedSides | undefined {
  if (expectations === undefined || !existsSync(expectations.path)) {
    return undefined;
  }
  const beforeOf = new Int32Array(second.count).fill(-1);
  afterOf.forEach((row, beforeRow) => {
    if (row >= 0) {
      beforeOf[row] = beforeRow;
    }
  });
  const checks = new Uint8Array(first.count);
  let made = 0;
  const judge = (side: 'before' | 'after') => {
    const isFirst = side === 'before';
    const marks = new Uint8Array((isFirst ? first : second).count);
    const idOf = (row: number): string | undefined => {
      const other = (isFirst ? afterOf : beforeOf)[row] as number;
      return expectations.idsOf === side || other < 0 ? (isFirst ? first : second).id(row) : (isFirst ? second : first).id(other);
    };
    const { problems } = judgeResults({ ...(isFirst ? before : after), expectationsPath: expectations.path }, context, {
      idOf,
      onChecked: (row, expected, failed) => {
        marks[row] = toMark(failed);
        if (isFirst) {
          checks[row] = toBits(expected);
          made |= checks[row] as number;
        }
      },
    });
    // An id that one of the runs does not have is no fault of the line.
    return { marks, problems: problems.filter(({ code }) => code !== 'no-such-id').length };
  };
  const judgedBefore = judge('before');
  const judgedAfter = judge('after');
  return {
    ...{ before: judgedBefore.marks, after: judgedAfter.marks, checks },
    made: markedChecks.filter((_, bit) => (made & (1 << bit)) !== 0),
    problems: judgedAfter.problems,
  };
}

function toBits(checks: readonly ExpectationCheck[]): number {
  return markedChecks.reduce((bits, check, bit) => (checks.includes(check) ? bits | (1 << bit) : bits), 0);
}
