import { reviewCount } from '../../../jsonl/results/resultsReport';
import { type Run, resultsOf, type Submission, toRuns } from '../../ledger';
import { countsOf } from '../runRow';

export interface RunSummary {
  /** Runs that are being sent or processed, oldest first. */
  readonly running: readonly Run[];
  /** Runs that ended since the user last saw the view, newest first. */
  readonly ended: readonly Run[];
  /** Submissions with an unknown outcome that need a decision of the user, newest first. */
  readonly unknown: readonly Submission[];
}

/** Sums up submissions. `isWatched` returns whether this window receives the outcome of a submission. */
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

/** Returns whether the service may still work on a submission's batch. */
export function isPending({ state, batchId, deleted, batch }: Submission): boolean {
  return state === 'created' && batchId !== undefined && !deleted && batch?.processing_status !== 'ended';
}

/** Returns whether a run has ended. Then no batch is pending, and each part has a batch or some parts failed. */
export function hasRunEnded({ submissions, parts }: Run): boolean {
  const sent = new Set<number>();
  let failed = false;
  for (const submission of submissions) {
    if (submission.state === 'sending' || submission.state === 'unknown' || isPending(submission)) {
      return false;
    }
    if (submission.state === 'created') {
      sent.add(submission.group?.index ?? 0);
    } else {
      failed = true;
    }
  }
  return sent.size > 0 && (failed || sent.size >= parts);
}

/** Returns the ID of the submission that records whether the end of its run was reported. It changes when more parts are sent. */
export function endMarkerOf({ submissions, lead }: Run): string {
  return submissions.filter(({ state }) => state === 'created').at(-1)?.id ?? lead.id;
}

/** Returns whether a request of a run is known to have no good result. */
export function lacksGoodResults(run: Run): boolean {
  const fetched = resultsOf(run);
  const { errored, canceled, expired } = countsOf(run);
  return fetched === undefined ? errored + canceled + expired > 0 : reviewCount(fetched.report) > 0;
}
