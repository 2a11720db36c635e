import type { CountedMeasure, LeftOut, LeftSide, LeftWhy } from './verdict/measure';
import { countPairs } from './verdict/pairedTable';

/** Why a request of one side says nothing; undefined when it says something. */
export type Left = LeftWhy | undefined;

/** Counts pairs that pass and fail, and why others are not counted: a pair is always one or the other. */
export class PairTally {
  private readonly table = { bothPass: 0, worse: 0, better: 0, bothFail: 0 };
  private readonly left = new Map<string, LeftOut>();

  constructor(private readonly about: Exclude<CountedMeasure['about'], 'number'>) {}

  /** Adds a pair; `left` says why either side cannot be counted. */
  add(before: boolean, after: boolean, [first, second]: readonly [Left, Left]): void {
    const why = first ?? second;
    if (why === undefined) {
      this.table[before ? (after ? 'bothPass' : 'worse') : after ? 'better' : 'bothFail']++;
    } else {
      this.leave(why, first === undefined ? 'after' : second === undefined ? 'before' : 'both', 1);
    }
  }

  /** Adds requests that are not counted. */
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
