/** Returns the similarity of two members: an integer from 0 (must not be paired) to `sameScore` (only for equal members). */
export type Score<T> = (one: T, other: T) => number;

/** Maximum score, for equal members. */
export const sameScore = 100;

type Pair = readonly [one: number, other: number];

/** Pairs of indexes, both ascending. */
interface Alignment {
  readonly pairs: readonly Pair[];
  /** True if the sequences were too long to be aligned at once. Far moved members may then be listed as removed and added. */
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

/** Pairs members of two sequences in order so that the sum of scores is maximal. Takes linear time for long sequences. */
export function* alignSequences<T>(ones: readonly T[], others: readonly T[], score: Score<T>): Pieces<Alignment> {
  const pairs: Pair[] = [];
  let [one, other, oneEnd, otherEnd] = [0, 0, ones.length, others.length];
  const isSame = (at: number, otherAt: number) => score(ones[at] as T, others[otherAt] as T) === sameScore;
  const pairSame = () => {
    while (one < oneEnd && other < otherEnd && isSame(one, other)) {
      pairs.push([one++, other++]);
    }
  };
  // Equal members at both ends are part of an optimal alignment.
  pairSame();
  while (oneEnd > one && otherEnd > other && isSame(oneEnd - 1, otherEnd - 1)) {
    oneEnd--;
    otherEnd--;
  }
  const isPiecewise = (oneEnd - one) * (otherEnd - other) > maxCells;
  const length = isPiecewise ? pieceLength : Number.POSITIVE_INFINITY;
  while (one < oneEnd && other < otherEnd) {
    const [oneTo, otherTo] = [Math.min(oneEnd, one + length), Math.min(otherEnd, other + length)];
    const found = yield* alignPiece(ones.slice(one, oneTo), others.slice(other, otherTo), score);
    // The pairs in the second half may change with the members of the next piece.
    const used = oneTo === oneEnd && otherTo === otherEnd ? length : length / 2;
    const end = found.findIndex(pair => pair[0] >= used || pair[1] >= used);
    for (const [at, otherAt] of end === -1 ? found : found.slice(0, end)) {
      pairs.push([one + at, other + otherAt]);
    }
    const [next, otherNext] = found[end] ?? [used, used];
    one += next;
    other += otherNext;
    pairSame();
    yield;
  }
  for (; oneEnd < ones.length; oneEnd++) {
    pairs.push([oneEnd, otherEnd++]);
  }
  return { pairs, isPiecewise };
}

/** Returns the optimal pairs of two short sequences. */
function* alignPiece<T>(ones: readonly T[], others: readonly T[], score: Score<T>): Pieces<readonly Pair[]> {
  const width = others.length + 1;
  const scoreAt = (row: number, column: number) => score(ones[row] as T, others[column] as T);
  // Score of the best alignment of the members after each pair of positions.
  const worth = new Int32Array((ones.length + 1) * width);
  const at = (row: number, column: number) => worth[row * width + column] ?? 0;
  let cells = 0;
  for (let row = ones.length - 1; row >= 0; row--) {
    for (let column = others.length - 1; column >= 0; column--) {
      const own = scoreAt(row, column);
      const paired = own === 0 ? 0 : own + at(row + 1, column + 1);
      worth[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
    cells += width;
    if (cells > cellsAtOnce) {
      cells = 0;
      yield;
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < ones.length && column < others.length; ) {
    const own = scoreAt(row, column);
    if (own > 0 && at(row, column) === own + at(row + 1, column + 1)) {
      pairs.push([row++, column++]);
    } else if (at(row, column) === at(row + 1, column)) {
      row++;
    } else {
      column++;
    }
  }
  return pairs;
}
