import type { Histogram } from './queryingJobs';

/**
 * Maximum number of buckets of equal width, and the ratio of largest to smallest value from which buckets grow: 1, 2, 5, 10, 20, 50, ...
 */
const maxBuckets = 20;
const wide = 50;

/** Returns a histogram of whole numbers with round bounds, or `undefined` for no numbers. Sorts `values` in place. */
export function toHistogram(values: Uint32Array): Histogram | undefined {
  values.sort();
  const min = values[0];
  const max = values.at(-1);
  if (min === undefined || max === undefined) {
    return undefined;
  }
  const from = max >= wide * Math.max(min, 1) ? growingBounds(min, max) : evenBounds(min, max);
  const counts = from.map(() => 0);
  let bucket = 0;
  for (const value of values) {
    while (bucket + 1 < from.length && value >= (from[bucket + 1] as number)) {
      bucket++;
    }
    counts[bucket] = (counts[bucket] as number) + 1;
  }
  return { from, counts, min, median: values[(values.length - 1) >> 1] as number, max };
}

function evenBounds(min: number, max: number): number[] {
  let width = 1;
  for (let at = 0; Math.floor(max / width) - Math.floor(min / width) >= maxBuckets; at++) {
    width = roundNumber(at + 1);
  }
  const first = Math.floor(min / width);
  return Array.from({ length: Math.floor(max / width) - first + 1 }, (_, index) => (first + index) * width);
}

function growingBounds(min: number, max: number): number[] {
  const bounds = [0];
  for (let at = 0; roundNumber(at) <= max; at++) {
    bounds.push(roundNumber(at));
  }
  const first = bounds.findLastIndex(bound => bound <= min);
  return bounds.slice(Math.max(first, 0));
}

/** Returns the number at a position of the sequence 1, 2, 5, 10, 20, 50, ... */
function roundNumber(place: number): number {
  return ([1, 2, 5][place % 3] as number) * 10 ** Math.floor(place / 3);
}
