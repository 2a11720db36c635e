import type { CountedMeasure, LeftOut, LeftSide, LeftWhy } from './verdict/measure';

/** Why a request of one side says nothing; undefined when it says something. */
export type Left = LeftWhy | undefined;

/** Counts pairs that pass and fail, and why others are not counted: a pair is always one or the other. */
export class PairTally {
  private readonly table = { bothPass: 0, worse: 0, better: 0, bothFail: 0 };
  private readonly left = new LeftOuts();

  constructor(private readonly about: Exclude<CountedMeasure['about'], 'number'>) {}

  /** Adds a pair; `left` says why either side cannot be counted. */
  add(before: boolean, after: boolean, left: readonly [Left, Left]): void {
    if (!this.left.add(left)) {
      this.table[before ? (after ? 'bothPass' : 'worse') : after ? 'better' : 'bothFail']++;
    }
  }

  counted(): CountedMeasure {
    const { bothPass, worse, better, bothFail } = this.table;
    const compared = bothPass + worse + better + bothFail;
    const share = (passed: number) => (compared === 0 ? 0 : passed / compared);
    return {
      ...{ about: this.about, compared, left: this.left.all(), table: { ...this.table } },
      values: [share(bothPass + worse), share(bothPass + better)],
    };
  }
}

/** How many are left out, by why and where. */
export class LeftOuts {
  private readonly counts = new Map<string, LeftOut>();

  /** Whether either side cannot be counted; with one more of them, that is written down. */
  add([before, after]: readonly [Left, Left]): boolean {
    const why = before ?? after;
    if (why === undefined) {
      return false;
    }
    const side: LeftSide = before === undefined ? 'after' : after === undefined ? 'before' : 'both';
    const key = `${why} ${side}`;
    this.counts.set(key, { why, side, count: (this.counts.get(key)?.count ?? 0) + 1 });
    return true;
  }

  all(): readonly LeftOut[] {
    return [...this.counts.values()].sort((a, b) => b.count - a.count);
  }
}
