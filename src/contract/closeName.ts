/** Largest edit distance between a name and a suggestion for it. */
export const maxSlips = 3;

/**
 * Returns the candidate that `name` was most likely meant to be, or `undefined` if no candidate is close. Allows one slip in a name of up
 * to 3 characters, two in up to 11, and three in a longer name.
 */
export function closeName(name: string, candidates: Iterable<string>): string | undefined {
  // A longer text is never a misspelt name.
  if (name.length === 0 || name.length > 100) {
    return undefined;
  }
  const plain = simplified(name);
  let best: string | undefined;
  let least = plain.length < 4 ? 2 : plain.length < 12 ? 3 : maxSlips + 1;
  for (const candidate of candidates) {
    const distance = candidate === name ? least : slips(plain, simplified(candidate), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Returns the edit distance between two names: 0 if they differ only in style, at most 4. */
export function slipsBetween(name: string, other: string): number {
  return name.length > 100 ? 4 : slips(simplified(name), simplified(other), 4);
}

/** Pattern of a normalized name. Most names already match it, and testing is faster than converting. */
const isSimple = /^[a-z0-9_]*$/;

/** Normalizes the style of a name: `maxTokens`, `max-tokens` and `MAX_TOKENS` are the same name. */
function simplified(name: string): string {
  return isSimple.test(name)
    ? name
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .replace(/[-\s.]/g, '_');
}

/** Returns the number of characters to insert, remove, replace or swap with their neighbour, at most `bound`. */
function slips(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) {
    return bound;
  }
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = new Array<number>(b.length + 1).fill(bound);
    row[0] = i;
    let least = i;
    // Cells further from the diagonal have a value of at least `bound`.
    const end = Math.min(b.length, i + bound - 1);
    for (let j = Math.max(1, i - bound + 1); j <= end; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    // The next row can't be below `bound`. A swap adds one to a cell of the previous row, and the minimum of that row is smaller by at most
    // one.
    if (least >= bound) {
      return bound;
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? bound, bound);
}
