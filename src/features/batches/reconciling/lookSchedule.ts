import type { Candidate, Submission } from '../ledger/submission';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before each look through the list, the first right after the answer was lost: a new batch may take a while to be listed. */
const pauses = [0, 5 * second, 15 * second, minute, 5 * minute, 20 * minute, hour];
/** While a batch that can be the one still runs: only its results tell. */
const whileRunning = hour / 2;
/** A batch lasts 24 hours. */
const longest = 27 * hour;

/**
 * Milliseconds until the service's list is to be looked through for the batch of a submission, 0 for now; undefined when that
 * is not to be done by itself, or no more. `now` is milliseconds since 1970; a wrong clock makes no wait longer than its pause.
 */
export function nextLookIn({ state, search, startedAt }: Submission, now: number): number | undefined {
  if (state !== 'unknown') {
    return undefined;
  }
  if (search === undefined) {
    return 0;
  }
  const isRunning = openCandidates({ search }).some(({ ended }) => !ended);
  const pause = pauses[search.looks] ?? (isRunning && now - Date.parse(startedAt) < longest ? whileRunning : undefined);
  if (pause === undefined) {
    return undefined;
  }
  const left = Date.parse(search.lookedAt) + pause - now;
  return Number.isNaN(left) ? pause : Math.min(Math.max(left, 0), pause);
}

/** The batches that can be the one of a submission as far as is known. */
export function openCandidates({ search }: Pick<Submission, 'search'>): readonly Candidate[] {
  return search?.candidates.filter(({ ids }) => ids !== 'different') ?? [];
}
