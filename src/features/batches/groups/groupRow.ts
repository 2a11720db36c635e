import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { RequestCounts } from '../../../contract/requestCounts';
import type { Run, Submission } from '../../ledger';

/** A part of a group as its row shows it. Indexes count from 0. */
export type GroupPartRow =
  | { readonly kind: 'batch'; readonly index: number; readonly batch: MessageBatch; readonly submission: Submission }
  /** It is being sent, or nobody knows, or it came to nothing. */
  | { readonly kind: 'submission'; readonly index: number; readonly submission: Submission }
  | { readonly kind: 'deleted'; readonly index: number; readonly submission: Submission }
  | { readonly kind: 'unsent'; readonly index: number };

/** Several batches of one file that show and act as one. */
export interface GroupRow {
  readonly kind: 'group';
  readonly connection: string;
  readonly run: Run;
  /** All of them, in their order, those that were not begun too. */
  readonly parts: readonly GroupPartRow[];
}

/** The row of a group. `listed` is a batch as the service listed it; without one it is as it was last seen. */
export function toGroupRow(run: Run, listed: (batchId: string) => MessageBatch | undefined): GroupRow {
  const begun = new Map(run.submissions.map(submission => [submission.group?.index ?? 0, submission]));
  const parts = Array.from({ length: run.parts }, (_, index): GroupPartRow => {
    const submission = begun.get(index);
    if (submission === undefined) {
      return { kind: 'unsent', index };
    }
    const batch = (submission.batchId === undefined ? undefined : listed(submission.batchId)) ?? submission.batch;
    if (submission.state !== 'created' || batch === undefined) {
      return { kind: 'submission', index, submission };
    }
    return submission.deleted ? { kind: 'deleted', index, submission } : { kind: 'batch', index, batch, submission };
  });
  return { kind: 'group', connection: run.connection, run, parts };
}

/** The batches that a group has now. */
export function batchesOf({ parts }: Pick<GroupRow, 'parts'>): readonly MessageBatch[] {
  return parts.flatMap(part => (part.kind === 'batch' ? [part.batch] : []));
}

/** Counts of several batches together. */
export function sumOf(batches: readonly MessageBatch[]): RequestCounts {
  const sum = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  for (const { request_counts: counts } of batches) {
    sum.processing += counts.processing;
    sum.succeeded += counts.succeeded;
    sum.errored += counts.errored;
    sum.canceled += counts.canceled;
    sum.expired += counts.expired;
  }
  return sum;
}

/** Whether a group has parts that are neither sent nor being sent, nor of which nobody knows. */
export function isUnfinished({ parts }: Pick<GroupRow, 'parts'>): boolean {
  const isOpen = (part: GroupPartRow) =>
    part.kind === 'unsent' || (part.kind === 'submission' && (part.submission.state === 'failed' || part.submission.state === 'abandoned'));
  return parts.some(isOpen) && !parts.some(part => part.kind === 'submission' && part.submission.state === 'sending');
}
