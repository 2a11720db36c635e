import { firstFrom } from '../fixes/textEdit';
import { type JsonTokens, pairTokens, type TokenPairs, toJsonTokens } from './jsonTokens';

/**
 * Maps offsets of a text to another text with mostly the same tokens. The mapping is ascending. An offset in a token maps to the same
 * character of that token. An offset between tokens maps to the next token. An offset in a token that the other text lacks maps to the end
 * of the closest shared token before it.
 */
export class OffsetMap {
  private constructor(
    private readonly from: JsonTokens,
    private readonly to: JsonTokens,
    /** Index in `to` of each token of `from`, or -1. */
    private readonly pairs: TokenPairs,
  ) {}

  static between(from: string, to: string): OffsetMap {
    const fromTokens = toJsonTokens(from);
    const toTokens = toJsonTokens(to);
    return new OffsetMap(fromTokens, toTokens, pairTokens(toTokens, fromTokens));
  }

  map(offset: number): number {
    const index = firstFrom(this.from.starts, start => start > offset) - 1;
    const end = this.from.ends[index] ?? 0;
    if (index < 0 || offset > end) {
      const next = this.pairs[index + 1] ?? -1;
      return next < 0 ? this.endBefore(index + 1) : (this.to.starts[next] ?? 0);
    }
    const toIndex = this.pairs[index] ?? -1;
    if (toIndex < 0) {
      return this.endBefore(index);
    }
    const start = this.to.starts[toIndex] ?? 0;
    const toEnd = this.to.ends[toIndex] ?? 0;
    return offset === end ? toEnd : Math.min(start + offset - (this.from.starts[index] ?? 0), toEnd);
  }

  private endBefore(index: number): number {
    for (let before = index - 1; before >= 0; before--) {
      const toIndex = this.pairs[before] ?? -1;
      if (toIndex >= 0) {
        return this.to.ends[toIndex] ?? 0;
      }
    }
    return this.to.starts[0] ?? 0;
  }
}
