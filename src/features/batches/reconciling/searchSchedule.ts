import type { Candidate, Search, StepKind, Submission } from '../../ledger';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses before each search, in milliseconds. The first search is immediate. Later searches find a batch that the service lists late. */
const pauses = [0, 5 * second, 15 * second, minute, 5 * minute, 20 * minute, hour];
/** Pause while a possible match is still running. Only its results can show whether it is the lost batch. */
const whileRunning = hour / 2;
/** Pause after the last of `pauses` if older pages of the list could not be read. The service may list batches later. */
const whileUnlisted = 24 * hour;
/** Maximum duration of the search. A batch lasts 24 hours. */
const longest = 27 * hour;
/** Duration of the search after the user marked the submission as not created. The service may list the batch late. */
const afterGivingUp = 3 * hour;
/** Maximum delay until a service lists a new batch. */
const slowListing = 5 * minute;

/**
 * Returns the delay until the next search for the batch of a submission in milliseconds, 0 for now, or `undefined` if no search is due. If
 * the user marked the submission as not created, the search continues for some hours. `now` is in milliseconds since 1970. A wrong clock
 * never makes a delay longer than its pause.
 */
export function nextSearchIn(submission: Submission, now: number): number | undefined {
  const { state, search } = submission;
  const isUnlisted = state === 'unknown' && search?.reachedBack === false && openCandidates(submission).length === 0;
  return nextFrequentSearchIn(submission, now) ?? (isUnlisted ? leftOf(whileUnlisted, search, now) : undefined);
}

/** Returns whether the frequent searches are over. The list may still be searched once a day. */
export function isSearchExhausted(submission: Submission, now: number): boolean {
  return nextFrequentSearchIn(submission, now) === undefined;
}

function nextFrequentSearchIn(submission: Submission, now: number): number | undefined {
  const { state, search, startedAt } = submission;
  const isRunning = openCandidates(submission).some(({ ended }) => !ended);
  if (state !== 'unknown') {
    const since = state === 'abandoned' ? Math.abs(now - timeOf(submission, ['abandoned'])) : Number.NaN;
    if (!(since < (isRunning ? longest : afterGivingUp))) {
      return undefined;
    }
  }
  if (search === undefined) {
    return 0;
  }
  const pause = pauses[search.looks] ?? (isRunning && now - Date.parse(startedAt) < longest ? whileRunning : undefined);
  return pause === undefined ? undefined : leftOf(pause, search, now);
}

function leftOf(pause: number, { lookedAt }: Search, now: number): number {
  const remaining = Date.parse(lookedAt) + pause - now;
  return Number.isNaN(remaining) ? pause : Math.min(Math.max(remaining, 0), pause);
}

/** Returns whether a batch of this submission may exist and not be listed yet, because its body was sent only minutes ago. */
export function isListedLate(submission: Submission, now: number): boolean {
  return now - timeOf(submission, ['handed_out', 'lost']) < slowListing;
}

/** Returns the time of the latest of these steps in milliseconds since 1970, or the start of the submission if there is none. */
function timeOf({ steps = [], startedAt }: Submission, kinds: readonly StepKind[]): number {
  return Date.parse(steps.filter(({ what }) => kinds.some(kind => kind === what)).at(-1)?.at ?? startedAt);
}

/** Returns the batches that may come from a submission. */
export function openCandidates({ search }: Pick<Submission, 'search'>): readonly Candidate[] {
  return search?.candidates.filter(({ ids }) => ids !== 'different') ?? [];
}
