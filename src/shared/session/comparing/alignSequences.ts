/** How alike two members of sequences are, and which sequence comes first where both ways to pair them are as good. */
export interface Likeness<T> {
  /** A whole number: 0 where they must not be paired, `sameScore` at most, and that only where they are the same. Symmetric. */
  readonly score: (one: T, other: T) => number;
  /** A total order that is 0 for what is the same; by it pairs do not depend on which sequence is given first. */
  readonly compare: (one: T, other: T) => number;
}

/** What two members that are the same are worth; nothing is worth more. */
export const sameScore = 100;

/** Pairs of places, both rising. */
export interface Alignment {
  readonly pairs: readonly (readonly [one: number, other: number])[];
  /** The sequences were too long to be paired at once: what moved far may be told as missing and new. */
  readonly isPiecewise: boolean;
}

/** Work in pieces: whoever does it lets others have a turn at each. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Comparisons of members that are made for the best of all pairings. */
const mostCells = 1 << 20;
/** Members of each sequence that are looked at together where they are too many for that. */
const pieceLength = 256;
/** Comparisons between two turns of others. */
const cellsAtOnce = 1 << 16;

/**
 * Pairs the members of two sequences in their order so that the pairs are worth most together. The same for the same sequences, and mirrored
 * where they change places. Takes time in proportion to the longer one where they are long.
 */
export function* alignSequences<T>(ones: readonly T[], others: readonly T[], likeness: Likeness<T>): Pieces<Alignment> {
  if (compareSequences(ones, others, likeness) > 0) {
    const { pairs, isPiecewise } = yield* new Aligner(others, ones, likeness).align();
    return { pairs: pairs.map(([other, one]) => [one, other]), isPiecewise };
  }
  return yield* new Aligner(ones, others, likeness).align();
}

function compareSequences<T>(ones: readonly T[], others: readonly T[], { compare }: Likeness<T>): number {
  for (const [place, one] of ones.entries()) {
    const other = others[place];
    const order = place >= others.length ? 1 : compare(one, other as T);
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
    // No pairing is worth more than one that begins and ends with what both have.
    const begin = this.#pairSame({ one: 0, other: 0 }, { one: ones.length, other: others.length });
    let [one, other] = [ones.length, others.length];
    while (one > begin.one && other > begin.other && this.#isSame(one - 1, other - 1)) {
      one--;
      other--;
    }
    const isPiecewise = (one - begin.one) * (other - begin.other) > mostCells;
    yield* this.#alignBetween(begin, { one, other }, isPiecewise);
    this.#pairSame({ one, other }, { one: ones.length, other: others.length });
    return { pairs: this.#pairs, isPiecewise };
  }

  /** Pairs what is the same from a corner on; where that ends. */
  #pairSame(from: Corner, to: Corner): Corner {
    let { one, other } = from;
    while (one < to.one && other < to.other && this.#isSame(one, other)) {
      this.#pairs.push([one++, other++]);
    }
    return { one, other };
  }

  /** Pairs what lies between two corners, at once or piece by piece: of each piece that is not the last, what its first half pairs. */
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
      const kept = found.findIndex(pair => pair[0] >= half.one || pair[1] >= half.other);
      this.#pairs.push(...(kept === -1 ? found : found.slice(0, kept)));
      [one, other] = found[kept] ?? [half.one, half.other];
      ({ one, other } = this.#pairSame({ one, other }, last));
      yield;
    }
  }

  /** The pairs of a piece that are worth most together. */
  *#alignPiece(from: Corner, to: Corner): Pieces<readonly (readonly [number, number])[]> {
    const height = to.one - from.one;
    const width = to.other - from.other;
    // Worth of the best pairing of what lies behind a place of each.
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
