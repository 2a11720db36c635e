import type { Candidate, Search, StepKind, Submission } from '../../ledger';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds before each look through the list, the first right after the answer was lost: a new batch may take a while to be listed. */
const pauses = [0, 5 * second, 15 * second, minute, 5 * minute, 20 * minute, hour];
/** While a batch that can be the one still runs: only its results tell. */
const whileRunning = hour / 2;
/** After the pauses, while the list could not be read far enough: the service may list batches by then. */
const whileUnlisted = 24 * hour;
/** A batch lasts 24 hours. */
const longest = 27 * hour;
/** After the user said that there is none: the service may list it late. */
const afterGivingUp = 3 * hour;
/** How long a service can take to list a new batch. */
const slowListing = 5 * minute;

/**
 * Milliseconds until the service's list is to be looked through for the batch of a submission, 0 for now; undefined when that
 * is not to be done by itself, or no more. One that the user has given up is looked for a while longer. `now` is milliseconds
 * since 1970; a wrong clock makes no wait longer than its pause.
 */
export function nextLookIn(submission: Submission, now: number): number | undefined {
  const { state, search } = submission;
  const isUnlisted = state === 'unknown' && search?.reachedBack === false && openCandidates(submission).length === 0;
  return nextFrequentLookIn(submission, now) ?? (isUnlisted ? leftOf(whileUnlisted, search, now) : undefined);
}

/** Returns whether the list was searched as often as it can be expected to change. It may still be searched once a day. */
export function isLookedOut(submission: Submission, now: number): boolean {
  return nextFrequentLookIn(submission, now) === undefined;
}

function nextFrequentLookIn(submission: Submission, now: number): number | undefined {
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
  const left = Date.parse(lookedAt) + pause - now;
  return Number.isNaN(left) ? pause : Math.min(Math.max(left, 0), pause);
}

/** Whether a batch of this submission may be there and not be listed yet: its body left only minutes ago. */
export function isListedLate(submission: Submission, now: number): boolean {
  return now - timeOf(submission, ['handed_out', 'lost']) < slowListing;
}

/** When the latest of some steps was, in milliseconds since 1970; else when the submission began. */
function timeOf({ steps = [], startedAt }: Submission, kinds: readonly StepKind[]): number {
  return Date.parse(steps.filter(({ what }) => kinds.some(kind => kind === what)).at(-1)?.at ?? startedAt);
}

/** The batches that can be the one of a submission as far as is known. */
export function openCandidates({ search }: Pick<Submission, 'search'>): readonly Candidate[] {
  return search?.candidates.filter(({ ids }) => ids !== 'different') ?? [];
}
