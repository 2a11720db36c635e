/** No name is taken for another that more slips part it from. */
export const mostSlips = 3;

/** The candidate that `name` was most likely meant to be, or undefined when none is close: one slip, or two in a long name. */
export function closeName(name: string, candidates: Iterable<string>): string | undefined {
  // What is so long was never a slip of a name.
  if (name.length === 0 || name.length > 100) {
    return undefined;
  }
  const plain = simplified(name);
  let best: string | undefined;
  let least = plain.length < 4 ? 2 : plain.length < 12 ? 3 : mostSlips + 1;
  for (const candidate of candidates) {
    const distance = candidate === name ? least : slips(plain, simplified(candidate), least);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** How many characters part two names: 0 for one name in different clothes, never more than 4. */
export function slipsBetween(name: string, other: string): number {
  return name.length > 100 ? 4 : slips(simplified(name), simplified(other), 4);
}

/** Nearly all names are this already: that is seen sooner than they are written anew. */
const isSimple = /^[a-z0-9_]*$/;

/** `maxTokens`, `max-tokens` and `MAX_TOKENS` are one name in different clothes. */
function simplified(name: string): string {
  return isSimple.test(name)
    ? name
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .replace(/[-\s.]/g, '_');
}

/** Characters to insert, remove, replace or swap with their neighbour; `bound` when there are at least so many. */
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
    // What is further from the diagonal has `bound` slips already.
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
    // A swap finds nothing less two rows back: what stands there can be at most one less than here.
    if (least >= bound) {
      return bound;
    }
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? bound, bound);
}
