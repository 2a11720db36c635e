import type { MessageBatch } from '../../client/resources/messageBatches';
import type { RequestCounts } from '../../contract/requestCounts';
import type { BatchReference, RunReference } from '../../contributions';
import { reviewCount } from '../../jsonl/results/resultsReport';
import { isRecord } from '../../shared/isRecord';
import { mayHaveBatch, type Run, resultsOf, runOfForeign, type Submission } from '../ledger';
import { totalOf } from './batchPresentation';

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

/** A part of a run. A run of a single batch has one part. Indexes are 0-based. */
export type RunPart =
  | { readonly kind: 'batch'; readonly index: number; readonly batch: MessageBatch; readonly submission: Submission }
  /** Part that is being sent, has an unknown outcome, or has no batch. */
  | { readonly kind: 'submission'; readonly index: number; readonly submission: Submission }
  /** Part whose batch was deleted on the service. */
  | { readonly kind: 'deleted'; readonly index: number; readonly submission: Submission }
  | { readonly kind: 'unsent'; readonly index: number };

export interface RunRow {
  readonly kind: 'run';
  readonly run: Run;
  /** Parts of the run, by ascending index. */
  readonly parts: readonly RunPart[];
  /** URI of the request file that the run is listed under. A retry with its own file is listed under the file that was retried. */
  readonly source: string;
  readonly fileName: string;
  /** True if the file has no other run, so that this is also the file's row. */
  readonly isOnly: boolean;
  /** True for a trial with results whose remaining requests were not sent. */
  readonly isOpenTrial: boolean;
  /** True if the run was sent over a different connection than the view's. */
  readonly isElsewhere: boolean;
}

/**
 * Returns the parts of a run. `listed` returns the latest listed state of a batch. If it returns `undefined`, the recorded state is used.
 */
export function partsOf(run: Run, listed: (batchId: string) => MessageBatch | undefined = () => undefined): readonly RunPart[] {
  const byIndex = new Map(run.submissions.map(submission => [submission.group?.index ?? 0, submission]));
  return Array.from({ length: run.parts }, (_, index): RunPart => {
    const submission = byIndex.get(index);
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

/** Returns the row of a batch that was not created on this machine. */
export function rowOfForeign(connection: string, batch: MessageBatch): RunRow {
  const requestCount = totalOf(batch.request_counts);
  const run = runOfForeign(connection, batch.id, { batch, requestCount, startedAt: batch.created_at ?? '' });
  return { kind: 'run', run, parts: partsOf(run), source: '', fileName: '', isOnly: false, isOpenTrial: false, isElsewhere: false };
}

/** Returns a part of a run as a run of one part. */
export function runOfPart(run: Run, part: Submission): Run {
  return { ...run, id: part.id, lead: part, submissions: [part], parts: 1 };
}

/** Returns the batches that a run has on the service. */
export function batchesOf({ parts }: Pick<RunRow, 'parts'>): readonly MessageBatch[] {
  return parts.flatMap(part => (part.kind === 'batch' ? [part.batch] : []));
}

/** Returns the parts without a known batch whose submission is in one of these states, or in any state if no state is given. */
export function partsIn({ parts }: Pick<RunRow, 'parts'>, ...states: readonly Submission['state'][]) {
  return parts.filter(
    part => part.kind === 'submission' && (states.length === 0 || states.includes(part.submission.state)),
  ) as readonly Extract<RunPart, { readonly kind: 'submission' }>[];
}

/** Returns the ID of the first batch that a run has or had on the service. */
export function firstBatchIdOf({ run }: Pick<RunRow, 'run'>): string | undefined {
  return run.submissions.find(({ batchId }) => batchId !== undefined)?.batchId;
}

/** Reference to a batch, or with `runId` to the run that contains it. */
export type BatchOrRun = BatchReference & Partial<RunReference>;

/** Parses the reference in the state of a panel or the query of a document. Returns `undefined` if there is none. */
export function parseReference(value: unknown): BatchOrRun | undefined {
  const { connection, batchId, runId } = isRecord(value) ? value : {};
  return typeof connection === 'string' && typeof batchId === 'string'
    ? { connection, batchId, ...(typeof runId === 'string' && { runId }) }
    : undefined;
}

/** Returns the command argument for a run. This is its first batch, with the run's ID if the run has several parts. */
export function toReference(row: Pick<RunRow, 'run' | 'parts'>): BatchOrRun {
  const { connection, id } = row.run;
  return { connection, batchId: firstBatchIdOf(row) ?? '', ...(row.parts.length > 1 && { runId: id }) };
}

/** Returns the summed counts of batches. */
export function sumOf(batches: readonly MessageBatch[]): RequestCounts {
  const sum = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  for (const { request_counts: counts } of batches) {
    for (const outcome of Object.keys(sum) as (keyof typeof sum)[]) {
      sum[outcome] += counts[outcome];
    }
  }
  return sum;
}

/** Returns the summed counts of a run's batches in their last known state. */
export function countsOf({ submissions }: Pick<Run, 'submissions'>): RequestCounts {
  return sumOf(submissions.flatMap(({ batch, deleted }) => (batch === undefined || deleted ? [] : [batch])));
}

/** Returns whether a run of several parts has parts that can still be sent. */
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
