import { generationsOf, isSameService, type Submission, toRuns } from '../../ledger';

/** What tells one going of requests from another one. */
export type Sent = Pick<Submission, 'sha256' | 'connection' | 'origin' | 'selection' | 'group' | 'follows'>;

/**
 * The submissions that sent some of the same requests of the same bytes to the same connection or address, and may have made a batch
 * of them that still is. Those that it follows, and the other generations with them, are none unless they sent the very same requests: what
 * it sends was chosen by what became of them. Nor are the other parts of its own group. A record that does not tell its file or its
 * service, because it is damaged, can be of any.
 */
export function repeatsOf(sent: Sent, submissions: readonly Submission[]): readonly Submission[] {
  const sameBytes = submissions.filter(other => mayBeThere(other) && canBeOf(sent, other) && isOverlapping(sent, other));
  if (sameBytes.length === 0 || sent.follows === undefined) {
    return sameBytes;
  }
  const family = familyOf(sent.follows.runId, submissions);
  return sameBytes.filter(other => !family.has(other.id) || other.selection?.digest === sent.selection?.digest);
}

function canBeOf(sent: Sent, other: Submission): boolean {
  const isAnyService = other.connection === '' && other.origin === '';
  return (other.sha256 === '' || other.sha256 === sent.sha256) && (isAnyService || isSameService(sent, other));
}

function mayBeThere({ state, deleted, batch }: Submission): boolean {
  // Only what has ended can be deleted: one that was not found while it ran may be there for another key.
  const isGone = deleted === true && batch?.processing_status === 'ended';
  return !isGone && (state === 'sending' || state === 'unknown' || state === 'created');
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
