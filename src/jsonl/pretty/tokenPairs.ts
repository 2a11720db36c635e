import { type JsonTokens, tokenText } from './jsonTokens';

/** Index of the matching token in the other text for each token of one text, or -1. Ascending. */
export type TokenPairs = Int32Array;

/** Maximum number of comparisons to pair tokens that occur repeatedly. */
const maxComparisons = 250_000;

interface Run {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Pairs the tokens of `to` with those of `from`. Starts with equal tokens at both ends, and continues from tokens that are unique in both.
 * The cost grows with the sum of the lengths, not with their product.
 */
export function pairTokens(from: JsonTokens, to: JsonTokens): TokenPairs {
  const pairs = new Int32Array(to.starts.length).fill(-1);
  const runs: Run[] = [{ fromStart: 0, fromEnd: from.starts.length, start: 0, end: to.starts.length }];
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const rest = pairEnds(from, to, run, pairs);
    if (rest.fromStart === rest.fromEnd || rest.start === rest.end) {
      continue;
    }
    const anchors = findAnchors(from, to, rest);
    if (anchors.length === 0) {
      pairByTable(from, to, rest, pairs);
      continue;
    }
    let { fromStart, start } = rest;
    for (const [fromIndex, index] of anchors) {
      pairs[index] = fromIndex;
      runs.push({ fromStart, fromEnd: fromIndex, start, end: index });
      fromStart = fromIndex + 1;
      start = index + 1;
    }
    runs.push({ ...rest, fromStart, start });
  }
  return pairs;
}

/**
 * Adds pairs for replaced tokens. These are runs of the same length in both texts, between the same neighbours. Use it to follow a cursor,
 * not to detect changes.
 */
export function withReplaced(pairs: TokenPairs, fromCount: number): TokenPairs {
  const result = pairs.slice();
  let before = -1;
  for (let index = 0; index <= pairs.length; index++) {
    const fromIndex = index === pairs.length ? fromCount : (pairs[index] ?? -1);
    if (fromIndex < 0) {
      continue;
    }
    const fromBefore = before < 0 ? -1 : (pairs[before] ?? -1);
    if (fromIndex - fromBefore === index - before) {
      for (let step = 1; before + step < index; step++) {
        result[before + step] = fromBefore + step;
      }
    }
    before = index;
  }
  return result;
}

function pairEnds(from: JsonTokens, to: JsonTokens, run: Run, pairs: TokenPairs): Run {
  let { fromStart, fromEnd, start, end } = run;
  while (fromStart < fromEnd && start < end && isSame(from, fromStart, to, start)) {
    pairs[start++] = fromStart++;
  }
  while (fromStart < fromEnd && start < end && isSame(from, fromEnd - 1, to, end - 1)) {
    pairs[--end] = --fromEnd;
  }
  return { fromStart, fromEnd, start, end };
}

/** Returns the longest ascending sequence of tokens that are unique in both runs, as pairs of indexes. */
function findAnchors(from: JsonTokens, to: JsonTokens, run: Run): readonly (readonly [fromIndex: number, index: number])[] {
  const indexByText = onlyOnce(from, run.fromStart, run.fromEnd);
  const found: (readonly [number, number])[] = [];
  for (const [text, index] of onlyOnce(to, run.start, run.end)) {
    const fromIndex = indexByText.get(text) ?? -1;
    if (fromIndex >= 0 && index >= 0) {
      found.push([fromIndex, index]);
    }
  }
  return longestAscending(found);
}

/** Returns the index of each distinct token of a run in order of first occurrence, or -1 for a token that occurs more than once. */
function onlyOnce(tokens: JsonTokens, start: number, end: number): Map<string, number> {
  const indexByText = new Map<string, number>();
  for (let index = start; index < end; index++) {
    const text = tokenText(tokens, index);
    indexByText.set(text, indexByText.has(text) ? -1 : index);
  }
  return indexByText;
}

/** Returns the longest ascending sequence, by patience sorting: the tops of the piles are ascending. */
function longestAscending(found: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tops: number[] = [];
  const before = new Int32Array(found.length).fill(-1);
  const fromIndexOf = (index: number | undefined) => found[index ?? -1]?.[0] ?? 0;
  for (let index = 0; index < found.length; index++) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fromIndexOf(tops[middle]) < fromIndexOf(index)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    before[index] = tops[low - 1] ?? -1;
    tops[low] = index;
  }
  const result: (readonly [number, number])[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = found[index];
    if (pair !== undefined) {
      result.push(pair);
    }
  }
  return result.reverse();
}

function pairByTable(from: JsonTokens, to: JsonTokens, { fromStart, fromEnd, start, end }: Run, pairs: TokenPairs): void {
  const rows = fromEnd - fromStart;
  const columns = end - start;
  if (rows * columns > maxComparisons) {
    return;
  }
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] = isSame(from, fromStart + row, to, start + column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(from, fromStart + row, to, start + column)) {
      pairs[start + column++] = fromStart + row++;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      row++;
    } else {
      column++;
    }
  }
}

function isSame(from: JsonTokens, fromIndex: number, to: JsonTokens, index: number): boolean {
  const fromStart = from.starts[fromIndex] ?? 0;
  const start = to.starts[index] ?? 0;
  const length = (to.ends[index] ?? 0) - start;
  return (
    (from.ends[fromIndex] ?? 0) - fromStart === length &&
    from.text.charCodeAt(fromStart) === to.text.charCodeAt(start) &&
    (length === 1 || tokenText(from, fromIndex) === tokenText(to, index))
  );
}
