import type { CountedMeasure, LeftOut, LeftSide, LeftWhy } from './verdict/measure';
import { countPairs } from './verdict/pairedTable';

/** Reason to exclude one side of a pair, or `undefined` to count it. */
export type Left = LeftWhy | undefined;

/** Counts pairs by pass and fail, and excluded pairs by reason. */
export class PairTally {
  private readonly table = { bothPass: 0, worse: 0, better: 0, bothFail: 0 };
  private readonly left = new Map<string, LeftOut>();

  constructor(private readonly about: Exclude<CountedMeasure['about'], 'number'>) {}

  /** Adds a pair. The third parameter has the reasons to exclude either side. */
  add(before: boolean, after: boolean, [first, second]: readonly [Left, Left]): void {
    const why = first ?? second;
    if (why === undefined) {
      this.table[before ? (after ? 'bothPass' : 'worse') : after ? 'better' : 'bothFail']++;
    } else {
      this.leave(why, first === undefined ? 'after' : second === undefined ? 'before' : 'both', 1);
    }
  }

  /** Adds excluded requests. */
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
