import { generationsOf, isDamaged, isSameService, mayHaveBatch, type Submission, toRuns } from '../../ledger';

/** The properties that identify the sent content and its destination. */
export type Sent = Pick<Submission, 'sha256' | 'connection' | 'origin' | 'selection' | 'group' | 'follows'>;

/**
 * Returns the submissions that sent some of the same requests from the same bytes to the same connection or address, and whose batch may
 * still exist. Leaves out other parts of the same group. Also leaves out the earlier runs whose results decided the contents of `sent`,
 * unless they sent exactly the same requests. A damaged record counts for any file and any service.
 */
export function repeatsOf(sent: Sent, submissions: readonly Submission[]): readonly Submission[] {
  const isRepeat = (other: Submission) => other.sha256 === sent.sha256 && isSameService(sent, other) && isOverlapping(sent, other);
  const repeats = submissions.filter(other => mayBeThere(other) && (isDamaged(other) || isRepeat(other)));
  if (repeats.length === 0 || sent.follows === undefined) {
    return repeats;
  }
  const family = familyOf(sent.follows.runId, submissions);
  return repeats.filter(other => isDamaged(other) || !family.has(other.id) || other.selection?.digest === sent.selection?.digest);
}

function mayBeThere(submission: Submission): boolean {
  const { deleted, batch } = submission;
  // Only an ended batch can be deleted. A batch that was not found while it ran may exist for another key.
  const isGone = deleted === true && batch?.processing_status === 'ended';
  return !isGone && mayHaveBatch(submission);
}

function isOverlapping({ selection: one, group }: Sent, { selection: other, group: otherGroup }: Submission): boolean {
  if (one === undefined || other === undefined || one.digest === other.digest) {
    return true;
  }
  const isBeside = group !== undefined && group.id === otherGroup?.id;
  return !isBeside && one.firstLine <= other.lastLine && other.firstLine <= one.lastLine;
}

function familyOf(runId: string, submissions: readonly Submission[]): ReadonlySet<string> {
  const runs = toRuns(submissions);
  const run = runs.find(({ id }) => id === runId);
  const generations = run === undefined ? [] : generationsOf(runs, run);
  return new Set(generations.flatMap(({ submissions: parts }) => parts.map(({ id }) => id)));
}
