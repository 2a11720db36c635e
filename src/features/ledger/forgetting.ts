import type { Submission } from './submission';

const keptFor = 30 * 24 * 60 * 60 * 1000;

/**
 * Whether nothing on the service or on this machine hangs on a submission, or on the group that it is a part of. One that is
 * `unknown` goes only when the user says so.
 */
export function canForget(submission: Submission, all: readonly Submission[]): boolean {
  const { group } = submission;
  const others = group === undefined ? [] : all.filter(other => other.group?.id === group.id && other.id !== submission.id);
  return [submission, ...others].every(isLoose) && others.every(({ state }) => state !== 'unknown');
}

function isLoose({ state, batchId, results, groupResults, merged }: Submission): boolean {
  const hasNoBatch = batchId === undefined && (state === 'failed' || state === 'abandoned' || state === 'unknown');
  return hasNoBatch && results === undefined && groupResults === undefined && merged === undefined;
}

/** Whether the service may still work on a submission, or nobody knows whether it does. */
export function isUnderWay({ state, batchId, deleted, batch, results }: Submission): boolean {
  const mayRun = batchId !== undefined && deleted !== true && results === undefined;
  return state === 'sending' || state === 'unknown' || (mayRun && batch?.processing_status !== 'ended');
}

/**
 * Whether a submission goes by itself: it failed or was given up thirty days ago, and so did all other parts of its group,
 * of which the first holds what is of all. `now` is milliseconds since 1970.
 */
export function isOutdated(submission: Submission, all: readonly Submission[], now: number): boolean {
  const { group } = submission;
  const parts = group === undefined ? [submission] : all.filter(other => other.group?.id === group.id);
  return parts.every(
    part => isLoose(part) && part.state !== 'unknown' && part.made === undefined && now - Date.parse(part.startedAt) > keptFor,
  );
}
