import { codeAt, isPunctuation, type JsonTokens, pairTokens, type TokenPairs, toJsonTokens } from './jsonTokens';

/**
 * Maps offsets of a text to another text with mostly the same tokens. The mapping is ascending. An offset in a token maps to the same
 * character of that token. An offset between tokens maps to the next token. An offset in a token that the other text lacks maps to the end
 * of the closest token before it.
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
    const index = this.lastTokenAt(offset);
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

  /**
   * Returns the range in the other text of the token at `offset`, or `undefined` if there is none. The end of a token belongs to the token.
   * Between a value and punctuation, returns the value.
   */
  tokenAt(offset: number): readonly [start: number, end: number] | undefined {
    const last = this.lastTokenAt(offset);
    const isBehindWord = last > 0 && this.from.ends[last - 1] === offset && isPunctuation(codeAt(this.from, last));
    const index = isBehindWord ? last - 1 : last;
    const toIndex = index < 0 || offset > (this.from.ends[index] ?? 0) ? -1 : (this.pairs[index] ?? -1);
    return toIndex < 0 ? undefined : [this.to.starts[toIndex] ?? 0, this.to.ends[toIndex] ?? 0];
  }

  private lastTokenAt(offset: number): number {
    const { starts } = this.from;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
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
