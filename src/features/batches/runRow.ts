import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { RequestCounts } from '../../contract/requestCounts';
import type { BatchReference, RunReference } from '../../contributions';
import { mayHaveBatch, type Run, resultsOf, type Submission } from '../ledger';

/** A part of a run; a run that was sent as one batch has one. Indexes are 0-based. */
export type RunPart =
  | { readonly kind: 'batch'; readonly index: number; readonly batch: MessageBatch; readonly submission: Submission }
  /** Being sent, of unknown outcome, or never a batch. */
  | { readonly kind: 'submission'; readonly index: number; readonly submission: Submission }
  /** Deleted on the service. */
  | { readonly kind: 'deleted'; readonly index: number; readonly submission: Submission }
  | { readonly kind: 'unsent'; readonly index: number };

/** A run of a request file. */
export interface RunRow {
  readonly kind: 'run';
  readonly run: Run;
  /** In their order. */
  readonly parts: readonly RunPart[];
  /** The request file that the run stands under, by its URI: its own, or for a retry with a file of its own the one that this was made from. */
  readonly source: string;
  /** Display name of that file. */
  readonly fileName: string;
  /** The file has no other run, so that this row stands for the file too. */
  readonly isOnly: boolean;
  /** A trial with results, of which the remaining requests were not sent. */
  readonly isOpenTrial: boolean;
  /** The run was sent over another connection than the one of the view. */
  readonly isElsewhere: boolean;
}

/** Returns the parts of a run. `listed` returns a batch as the service listed it; other batches are as last seen. */
export function partsOf(run: Run, listed: (batchId: string) => MessageBatch | undefined): readonly RunPart[] {
  const begun = new Map(run.submissions.map(submission => [submission.group?.index ?? 0, submission]));
  return Array.from({ length: run.parts }, (_, index): RunPart => {
    const submission = begun.get(index);
    if (submission === undefined) {
      return { kind: 'unsent', index };
    }
    if (submission.deleted) {
      return { kind: 'deleted', index, submission };
    }
    const batch = (submission.batchId === undefined ? undefined : listed(submission.batchId)) ?? submission.batch;
    return submission.state !== 'created' || batch === undefined
      ? { kind: 'submission', index, submission }
      : { kind: 'batch', index, batch, submission };
  });
}

/** Returns the batches that a run has on the service. */
export function batchesOf({ parts }: Pick<RunRow, 'parts'>): readonly MessageBatch[] {
  return parts.flatMap(part => (part.kind === 'batch' ? [part.batch] : []));
}

/** Returns the parts without a known batch whose submission is in one of these states; without states, all of them. */
export function partsIn({ parts }: Pick<RunRow, 'parts'>, ...states: readonly Submission['state'][]) {
  return parts.filter(
    part => part.kind === 'submission' && (states.length === 0 || states.includes(part.submission.state)),
  ) as readonly Extract<RunPart, { readonly kind: 'submission' }>[];
}

/** Returns the ID of the first batch that a run has or had on the service. */
export function firstBatchIdOf({ run }: Pick<RunRow, 'run'>): string | undefined {
  return run.submissions.find(({ batchId }) => batchId !== undefined)?.batchId;
}

/** A batch, or with `runId` the run that it stands for. */
export type BatchOrGroup = BatchReference & Partial<RunReference>;

/** Returns what commands know a run by: its batch, and its own ID if it has several. */
export function toReference(row: Pick<RunRow, 'run' | 'parts'>): BatchOrGroup {
  const { connection, id } = row.run;
  return { connection, batchId: firstBatchIdOf(row) ?? '', ...(row.parts.length > 1 && { runId: id }) };
}

/** Returns the counts of several batches together. */
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

/** Returns whether a run of several parts has some that can still be sent. */
export function isUnfinished({ parts }: Pick<RunRow, 'parts'>): boolean {
  const open = partsIn({ parts }, 'failed', 'abandoned').length + parts.filter(({ kind }) => kind === 'unsent').length;
  return parts.length > 1 && open > 0 && partsIn({ parts }, 'sending').length === 0;
}

/** Returns whether a run is a trial with results. */
export function isTrial(run: Run): boolean {
  return run.lead.selection?.purpose === 'canary' && resultsOf(run) !== undefined;
}

/** Returns whether the requests that a trial left out were sent. */
export function hasRest(family: readonly Run[]): boolean {
  return family.some(({ follows, submissions }) => follows?.purpose === 'rest' && submissions.some(mayHaveBatch));
}
