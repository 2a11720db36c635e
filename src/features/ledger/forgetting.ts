import type { Submission } from './submission';

const forgetAfter = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns whether a submission can be removed: neither it nor another part of its run has a batch or results. `unknown` submissions are
 * removed only when the user says so.
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

/** Returns whether the service may still work on a submission. */
export function isUnderWay({ state, batchId, deleted, batch, results }: Submission): boolean {
  const mayRun = batchId !== undefined && deleted !== true && results === undefined;
  return state === 'sending' || state === 'unknown' || (mayRun && batch?.processing_status !== 'ended');
}

/**
 * Returns whether a submission is removed automatically: it and all other parts of its run failed or were given up more than thirty days
 * ago. The first part holds the facts of the whole run. `now` is milliseconds since 1970.
 */
export function isOutdated(submission: Submission, all: readonly Submission[], now: number): boolean {
  const { group } = submission;
  const parts = group === undefined ? [submission] : all.filter(other => other.group?.id === group.id);
  return parts.every(
    part => isLoose(part) && part.state !== 'unknown' && part.made === undefined && now - Date.parse(part.startedAt) > forgetAfter,
  );
}
