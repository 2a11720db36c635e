// Summarizes several runs of the same work, and judges whether they keep a promise.

/** In so many of a hundred cases the true median lies within the spread, when there are runs enough (five) to say so. */
const certainty = 0.9;
/** Fewer runs than that say nothing about a promise. */
const leastRuns = 3;

/**
 * The median of `values`, and the two of them between which the true median lies in nine cases of ten (a sign test: whatever the
 * distribution is). Below five values that is between the least and the largest in fewer cases: with three in three of four.
 */
export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  const outside = rankOfSpread(sorted.length);
  return { median, least: sorted[outside], most: sorted[sorted.length - 1 - outside], runs: sorted.length };
}

/** Returns how many values at each end are left out of the spread. */
function rankOfSpread(count) {
  // That so many values or fewer of `count` are below the true median is as likely as so many heads of a coin or fewer.
  let chance = 0.5 ** count;
  let rank = 0;
  for (let sum = chance; 2 * sum <= 1 - certainty; sum += chance) {
    chance *= (count - rank) / (rank + 1);
    rank++;
  }
  return Math.max(0, rank - 1);
}

/** `field` of each run of `others` by that of our run of the same round, or of the last round in which there was one. */
export function ratios(others, ours, field = 'ms') {
  return ours.map((run, round) => others[Math.min(round, others.length - 1)][field] / run[field]);
}

/** `field` of each of our runs above that of the idle thread of the same round, never below 0. */
export function above(ours, idle, field) {
  return ours.map((run, round) => Math.max(0, run[field] - idle[Math.min(round, idle.length - 1)][field]));
}

/**
 * Judges whether measurements keep a promise: `met` or `missed` if the whole spread agrees, else `cannot tell`. Counts (`isExact`) need no
 * second run.
 * @param {{ promise: string, values: readonly number[], atLeast?: number, atMost?: number, isExact?: boolean }} measured
 */
export function judge({ promise, values, atLeast, atMost, isExact = false }) {
  const { median, least, most, runs } = summarize(values);
  const isKept = value => (atLeast === undefined ? value <= atMost : value >= atLeast);
  const isTold = isExact || (runs >= leastRuns && isKept(least) === isKept(most));
  return {
    promise,
    ...(atLeast === undefined ? { atMost } : { atLeast }),
    seen: median,
    least,
    most,
    runs,
    verdict: !isTold ? 'cannot tell' : isKept(median) ? 'met' : 'missed',
  };
}

/**
 * One line about a promise.
 * @param {{ promise: string, atLeast?: number, atMost?: number, seen: number, least: number, most: number, runs: number, verdict: string }} judged
 */
export function toVerdictLine({ promise, atLeast, atMost, seen, least, most, runs, verdict }) {
  const wanted = atLeast === undefined ? `at most ${toNumber(atMost)}` : `at least ${toNumber(atLeast)}`;
  const spread = runs === 1 ? '' : ` (${toNumber(least)} to ${toNumber(most)} in ${runs} runs)`;
  return `${verdict}: ${promise} ${toNumber(seen)}${spread}, promised ${wanted}`;
}

/** A number as it is printed: whole, or in three digits. */
export function toNumber(value) {
  return Number.isInteger(value) ? value : Number(value.toPrecision(3));
}
