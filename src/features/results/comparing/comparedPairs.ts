import { type ComparedKind, type Comparison, comparedKinds } from '../../../jsonl/comparing/comparingJobs';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ComparedSide } from './comparedSide';
import type { ComparedPair } from './comparePresentation';

/** The pairs of a comparison, made as they are asked for: there can be 100,000. */
export class ComparedPairs {
  private constructor(
    readonly comparison: Comparison,
    private readonly before: ResultsIndex,
    private readonly after: ResultsIndex,
  ) {}

  static async open(comparison: Comparison, [before, after]: readonly [ComparedSide, ComparedSide]): Promise<ComparedPairs> {
    const open = ({ results }: ComparedSide) => ResultsIndex.open(results.indexPath, results.joinedPath);
    const [first, second] = await Promise.all([open(before), open(after)]);
    return new ComparedPairs(comparison, first, second);
  }

  /** Number of pairs that are not the same. */
  get count(): number {
    return this.comparison.kinds.length;
  }

  at(place: number): ComparedPair {
    const { kinds, beforeRows, afterRows } = this.comparison;
    return {
      kind: comparedKinds[kinds[place] as number] ?? 'changed',
      before: entryAt(this.before, beforeRows[place] as number),
      after: entryAt(this.after, afterRows[place] as number),
    };
  }

  /** The first `most` places of a kind. */
  placesOf(kind: ComparedKind, most: number): readonly number[] {
    const first = this.comparison.kinds.indexOf(comparedKinds.indexOf(kind));
    return first < 0 ? [] : Array.from({ length: Math.min(most, this.comparison.counts[kind]) }, (_, index) => first + index);
  }

  /** The joined lines of a pair. Rejects with `IndexMismatchError` when a file is another one by now. */
  async lines({ before, after }: ComparedPair): Promise<readonly [string | undefined, string | undefined]> {
    return await Promise.all([before && this.before.read(before), after && this.after.read(after)]);
  }
}

function entryAt(index: ResultsIndex, row: number): ResultEntry | undefined {
  return row < 0 ? undefined : index.entryOfRow(row);
}
