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

/** Comparisons that are made at once. */
const mostCells = 1 << 20;
/** Members of each sequence that are looked at together where they are too many for that. */
const pieceLength = 256;

/**
 * Pairs the members of two sequences in their order so that the pairs are worth most together. The same for the same sequences, and mirrored
 * where they change places. Takes time in proportion to the longer one where they are long.
 */
export function alignSequences<T>(ones: readonly T[], others: readonly T[], likeness: Likeness<T>): Alignment {
  if (compareSequences(ones, others, likeness) > 0) {
    const { pairs, isPiecewise } = alignOrdered(others, ones, likeness);
    return { pairs: pairs.map(([other, one]) => [one, other]), isPiecewise };
  }
  return alignOrdered(ones, others, likeness);
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

function alignOrdered<T>(ones: readonly T[], others: readonly T[], { score, compare }: Likeness<T>): Alignment {
  const shorter = Math.min(ones.length, others.length);
  const isSame = (one: number, other: number) => compare(ones[one] as T, others[other] as T) === 0;
  // No pairing is worth more than one that begins and ends with what both have.
  let begin = 0;
  while (begin < shorter && isSame(begin, begin)) {
    begin++;
  }
  let end = 0;
  while (end < shorter - begin && isSame(ones.length - 1 - end, others.length - 1 - end)) {
    end++;
  }
  const pairs: (readonly [number, number])[] = Array.from({ length: begin }, (_, place) => [place, place]);
  const scoreAt = (one: number, other: number) => score(ones[one] as T, others[other] as T);
  const last: Corner = { one: ones.length - end, other: others.length - end };
  const isPiecewise = (last.one - begin) * (last.other - begin) > mostCells;
  alignBetween({ one: begin, other: begin }, last, scoreAt, isPiecewise, pairs);
  for (let place = end; place > 0; place--) {
    pairs.push([ones.length - place, others.length - place]);
  }
  return { pairs, isPiecewise };
}

interface Corner {
  readonly one: number;
  readonly other: number;
}

type ScoreAt = (one: number, other: number) => number;

/** Pairs what lies between two corners, at once or piece by piece: of each piece that is not the last, what its first half pairs. */
function alignBetween(from: Corner, last: Corner, scoreAt: ScoreAt, isPiecewise: boolean, pairs: (readonly [number, number])[]): void {
  let { one, other } = from;
  while (one < last.one && other < last.other) {
    const to = isPiecewise ? { one: Math.min(last.one, one + pieceLength), other: Math.min(last.other, other + pieceLength) } : last;
    const found = alignPiece({ one, other }, to, scoreAt);
    if (to.one === last.one && to.other === last.other) {
      pairs.push(...found);
      return;
    }
    const half = { one: one + pieceLength / 2, other: other + pieceLength / 2 };
    const kept = found.findIndex(pair => pair[0] >= half.one || pair[1] >= half.other);
    for (const pair of kept === -1 ? found : found.slice(0, kept)) {
      pairs.push(pair);
    }
    [one, other] = found[kept] ?? [half.one, half.other];
  }
}

/** The pairs of a piece that are worth most together. */
function alignPiece(from: Corner, to: Corner, scoreAt: ScoreAt): readonly (readonly [number, number])[] {
  const height = to.one - from.one;
  const width = to.other - from.other;
  // Worth of the best pairing of what lies behind a place of each.
  const worth = new Int32Array((height + 1) * (width + 1));
  const at = (row: number, column: number) => worth[row * (width + 1) + column] ?? 0;
  for (let row = height - 1; row >= 0; row--) {
    for (let column = width - 1; column >= 0; column--) {
      const score = scoreAt(from.one + row, from.other + column);
      const paired = score === 0 ? 0 : score + at(row + 1, column + 1);
      worth[row * (width + 1) + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < height && column < width; ) {
    const score = scoreAt(from.one + row, from.other + column);
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
