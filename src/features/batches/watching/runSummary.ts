import { type Run, type Submission, toRuns } from '../../ledger';
import { isPending } from '../runRow';

export interface RunSummary {
  /** Runs that are being sent or processed, oldest first. */
  readonly running: readonly Run[];
  /** Runs that ended since the user last saw the view, newest first. */
  readonly ended: readonly Run[];
  /** Submissions with an unknown outcome that need a decision of the user, newest first. */
  readonly unknown: readonly Submission[];
}

/**
 * Returns the runs and submissions that the status bar shows. `isWatched` returns whether this window receives the outcome of a submission.
 */
export function summarize(submissions: readonly Submission[], isWatched: (submission: Submission) => boolean): RunSummary {
  const runs = toRuns(submissions);
  const running = runs.filter(run => run.submissions.some(one => one.state === 'sending' || (isPending(one) && isWatched(one))));
  const runningSet = new Set(running);
  return {
    running: running.reverse(),
    ended: runs.filter(run => !runningSet.has(run) && run.submissions.some(({ isEndSeen, deleted }) => isEndSeen === false && !deleted)),
    unknown: submissions.filter(({ state }) => state === 'unknown'),
  };
}
