/** Similarity of two members, and an order of members to break ties independently of the argument order. */
export interface Likeness<T> {
  /** Returns an integer from 0 (must not be paired) to `sameScore` (only for equal members). Symmetric. */
  readonly score: (one: T, other: T) => number;
  /** Compares two members in a total order; 0 if they are equal. Makes the pairs independent of which sequence comes first. */
  readonly compare: (one: T, other: T) => number;
}

/** Maximum score, for equal members. */
export const sameScore = 100;

/** Pairs of indexes, both ascending. */
export interface Alignment {
  readonly pairs: readonly (readonly [one: number, other: number])[];
  /** True if the sequences were too long to be aligned at once. Members that moved far may then be listed as removed and added. */
  readonly isPiecewise: boolean;
}

/** A long computation that yields regularly, so that other work gets a turn. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Maximum number of comparisons for an optimal alignment. */
const maxCells = 1 << 20;
/** Number of members of each sequence that are aligned together if the sequences are too long. */
const pieceLength = 256;
/** Number of comparisons between two yields. */
const cellsAtOnce = 1 << 16;

/**
 * Pairs members of two sequences in order so that the sum of scores is maximal. Deterministic, and symmetric if the sequences are swapped.
 * Takes linear time for long sequences.
 */
export function* alignSequences<T>(ones: readonly T[], others: readonly T[], likeness: Likeness<T>): Pieces<Alignment> {
  if (compareSequences(ones, others, likeness) > 0) {
    const { pairs, isPiecewise } = yield* new Aligner(others, ones, likeness).align();
    return { pairs: pairs.map(([other, one]) => [one, other]), isPiecewise };
  }
  return yield* new Aligner(ones, others, likeness).align();
}

function compareSequences<T>(ones: readonly T[], others: readonly T[], { compare }: Likeness<T>): number {
  for (const [index, one] of ones.entries()) {
    const other = others[index];
    const order = index >= others.length ? 1 : compare(one, other as T);
    if (order !== 0) {
      return order;
    }
  }
  return ones.length - others.length;
}

interface Corner {
  readonly one: number;
  readonly other: number;
}

class Aligner<T> {
  readonly #pairs: (readonly [number, number])[] = [];

  constructor(
    private readonly ones: readonly T[],
    private readonly others: readonly T[],
    private readonly likeness: Likeness<T>,
  ) {}

  *align(): Pieces<Alignment> {
    const { ones, others } = this;
    // Common members at both ends are part of an optimal alignment.
    const start = this.#pairSame({ one: 0, other: 0 }, { one: ones.length, other: others.length });
    let [one, other] = [ones.length, others.length];
    while (one > start.one && other > start.other && this.#isSame(one - 1, other - 1)) {
      one--;
      other--;
    }
    const isPiecewise = (one - start.one) * (other - start.other) > maxCells;
    yield* this.#alignBetween(start, { one, other }, isPiecewise);
    this.#pairSame({ one, other }, { one: ones.length, other: others.length });
    return { pairs: this.#pairs, isPiecewise };
  }

  /** Pairs equal members from `from` on. Returns the first position that is not equal. */
  #pairSame(from: Corner, to: Corner): Corner {
    let { one, other } = from;
    while (one < to.one && other < to.other && this.#isSame(one, other)) {
      this.#pairs.push([one++, other++]);
    }
    return { one, other };
  }

  /**
   * Aligns the members between two corners, at once or piecewise. Uses only the first half of the pairs of each piece except the last:
   * the others may change with the members of the next piece.
   */
  *#alignBetween(from: Corner, last: Corner, isPiecewise: boolean): Pieces<void> {
    let { one, other } = from;
    while (one < last.one && other < last.other) {
      const to = isPiecewise ? { one: Math.min(last.one, one + pieceLength), other: Math.min(last.other, other + pieceLength) } : last;
      const found = yield* this.#alignPiece({ one, other }, to);
      if (to.one === last.one && to.other === last.other) {
        this.#pairs.push(...found);
        return;
      }
      const half = { one: one + pieceLength / 2, other: other + pieceLength / 2 };
      const end = found.findIndex(pair => pair[0] >= half.one || pair[1] >= half.other);
      this.#pairs.push(...(end === -1 ? found : found.slice(0, end)));
      [one, other] = found[end] ?? [half.one, half.other];
      ({ one, other } = this.#pairSame({ one, other }, last));
      yield;
    }
  }

  *#alignPiece(from: Corner, to: Corner): Pieces<readonly (readonly [number, number])[]> {
    const height = to.one - from.one;
    const width = to.other - from.other;
    // Score of the best alignment of the members after each pair of positions.
    const worth = new Int32Array((height + 1) * (width + 1));
    const at = (row: number, column: number) => worth[row * (width + 1) + column] ?? 0;
    let cells = 0;
    for (let row = height - 1; row >= 0; row--) {
      for (let column = width - 1; column >= 0; column--) {
        const score = this.#score(from.one + row, from.other + column);
        const paired = score === 0 ? 0 : score + at(row + 1, column + 1);
        worth[row * (width + 1) + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
      }
      cells += width;
      if (cells > cellsAtOnce) {
        cells = 0;
        yield;
      }
    }
    const pairs: [number, number][] = [];
    for (let row = 0, column = 0; row < height && column < width; ) {
      const score = this.#score(from.one + row, from.other + column);
      if (score > 0 && at(row, column) === score + at(row + 1, column + 1)) {
        pairs.push([from.one + row++, from.other + column++]);
      } else if (at(row, column) === at(row + 1, column)) {
        row++;
      } else {
        column++;
      }
    }
    return pairs;
  }

  #isSame(one: number, other: number): boolean {
    return this.likeness.compare(this.ones[one] as T, this.others[other] as T) === 0;
  }

  #score(one: number, other: number): number {
    return this.likeness.score(this.ones[one] as T, this.others[other] as T);
  }
}
