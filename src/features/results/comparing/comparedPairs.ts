import type { Comparison } from '../../../jsonl/comparing/compareResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { type ComparedKind, comparedKinds, type ComparisonFilter } from '../../../shared/comparison/comparisonProtocol';
import type { ComparedSide } from './comparedSide';
import type { ComparedPair } from './comparePresentation';

/** Pairs of a comparison, created on demand because there can be 100,000. Positions only count the pairs that match a filter. */
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

  /** Number of pairs that differ. */
  get differing(): number {
    return this.count('all') - this.comparison.counts.same;
  }

  count(filter: ComparisonFilter): number {
    return filter === 'all' ? this.comparison.kinds.length : this.comparison.counts[filter];
  }

  at(filter: ComparisonFilter, position: number): ComparedPair | undefined {
    if (position < 0 || position >= this.count(filter)) {
      return undefined;
    }
    const { kinds, beforeRows, afterRows, beforeMarks, afterMarks } = this.comparison;
    // Pairs of the same kind are consecutive.
    const at = position + (filter === 'all' ? 0 : kinds.indexOf(comparedKinds.indexOf(filter)));
    return {
      kind: comparedKinds[kinds[at] as number] as ComparedKind,
      before: entryAt(this.before, beforeRows[at] as number),
      after: entryAt(this.after, afterRows[at] as number),
      marks: [beforeMarks[at] as number, afterMarks[at] as number],
    };
  }

  slice(filter: ComparisonFilter, from: number, most: number): readonly ComparedPair[] {
    const count = Math.max(0, Math.min(most, this.count(filter) - from));
    return Array.from({ length: count }, (_, index) => this.at(filter, from + index)).filter(pair => pair !== undefined);
  }

  /** Returns the first words of both answers for each pair. The text of a side without an answer is empty. */
  async previews(pairs: readonly ComparedPair[]): Promise<readonly (readonly [before: string, after: string])[]> {
    const [before, after] = await Promise.all([
      previewsOf(
        this.before,
        pairs.map(pair => pair.before),
      ),
      previewsOf(
        this.after,
        pairs.map(pair => pair.after),
      ),
    ]);
    return pairs.map((_, at) => [before[at] ?? '', after[at] ?? '']);
  }

  /** Returns the joined lines of a pair. Throws an `IndexMismatchError` if a file has been replaced. */
  async lines({ before, after }: ComparedPair): Promise<readonly [string | undefined, string | undefined]> {
    return await Promise.all([before && this.before.read(before), after && this.after.read(after)]);
  }
}

function entryAt(index: ResultsIndex, row: number): ResultEntry | undefined {
  return row < 0 ? undefined : index.entryOfRow(row);
}

async function previewsOf(index: ResultsIndex, entries: readonly (ResultEntry | undefined)[]): Promise<readonly string[]> {
  const known = entries.filter(entry => entry !== undefined);
  const words = (await index.previews(known)).values();
  return entries.map(entry => (entry === undefined ? '' : (words.next().value ?? '')));
}
