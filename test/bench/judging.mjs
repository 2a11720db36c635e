// Summarizes several runs of the same work, and judges whether they keep a promise.

/** Probability that the true median is within the spread, if there are at least five runs. */
const certainty = 0.9;
/** Minimum number of runs for a verdict on a promise. */
const minRuns = 3;

/**
 * Returns the median of `values`, and two values with the true median between them in nine of ten cases (a sign test, valid for any
 * distribution). With fewer than five values, these are the lowest and the highest value, and the probability is lower: three in four for
 * three values.
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
  // A value is below the true median with the probability of heads in a coin toss, so these are binomial probabilities.
  let chance = 0.5 ** count;
  let rank = 0;
  for (let sum = chance; 2 * sum <= 1 - certainty; sum += chance) {
    chance *= (count - rank) / (rank + 1);
    rank++;
  }
  return Math.max(0, rank - 1);
}

/**
 * Returns `field` of each run of `others` divided by `field` of our run in the same round. A round without a run of `others` uses their
 * last run.
 */
export function ratios(others, ours, field = 'ms') {
  return ours.map((run, round) => others[Math.min(round, others.length - 1)][field] / run[field]);
}

/** Returns `field` of each of our runs minus `field` of the idle thread in the same round, at least 0. */
export function above(ours, idle, field) {
  return ours.map((run, round) => Math.max(0, run[field] - idle[Math.min(round, idle.length - 1)][field]));
}

/**
 * Judges whether measurements keep a promise: `met` or `missed` if the whole spread is on one side of the limit, else `cannot tell`. Counts
 * (`isExact`) need only one run.
 * @param {{ promise: string, values: readonly number[], atLeast?: number, atMost?: number, isExact?: boolean }} measured
 */
export function judge({ promise, values, atLeast, atMost, isExact = false }) {
  const { median, least, most, runs } = summarize(values);
  const isKept = value => (atLeast === undefined ? value <= atMost : value >= atLeast);
  const isSure = isExact || (runs >= minRuns && isKept(least) === isKept(most));
  return {
    promise,
    ...(atLeast === undefined ? { atMost } : { atLeast }),
    seen: median,
    least,
    most,
    runs,
    verdict: !isSure ? 'cannot tell' : isKept(median) ? 'met' : 'missed',
  };
}

/**
 * Formats the verdict on a promise as one line.
 * @param {{ promise: string, atLeast?: number, atMost?: number, seen: number, least: number, most: number, runs: number, verdict: string }} judged
 */
export function toVerdictLine({ promise, atLeast, atMost, seen, least, most, runs, verdict }) {
  const wanted = atLeast === undefined ? `at most ${toNumber(atMost)}` : `at least ${toNumber(atLeast)}`;
  const spread = runs === 1 ? '' : ` (${toNumber(least)} to ${toNumber(most)} in ${runs} runs)`;
  return `${verdict}: ${promise} ${toNumber(seen)}${spread}, promised ${wanted}`;
}

/** Formats a number: as an integer, or with three digits. */
export function toNumber(value) {
  return Number.isInteger(value) ? value : Number(value.toPrecision(3));
}
