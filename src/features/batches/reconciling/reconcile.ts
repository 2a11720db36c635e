import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { MessageBatches } from '../../../client/serviceClient';
import { totalOf } from '../batchPresentation';
import type { Submission } from '../ledger/submission';
import type { SubmissionRegistry } from '../ledger/submissionRegistry';

/** What the service's list says about a submission of which no verdict came back. */
export interface Reconciliation {
  /** Batches that can be the one: as many requests, made around then, not known to be another submission's. Newest first. */
  readonly candidates: readonly MessageBatch[];
  /** False when the list was too long, or went in circles, before the time of the submission was reached. */
  readonly reachedBack: boolean;
  readonly lookedAt: number;
}

/** How far the service's clock and this machine's may differ, in milliseconds. */
const clockTolerance = 60 * 60 * 1000;
/** A batch is created when its upload ends; a slow one of the largest size takes hours. */
const longestUpload = 24 * 60 * 60 * 1000;
const pageSize = 100;
const maxPages = 50;

/**
 * Looks through the service's batches, newest first, for those a submission can have made. Only reads. A batch whose
 * creation time is missing or unreadable counts as made around then.
 */
export async function reconcile(
  batches: Pick<MessageBatches, 'list'>,
  registry: Pick<SubmissionRegistry, 'findByBatch' | 'reload'>,
  submission: Submission,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Reconciliation> {
  await registry.reload();
  const started = Date.parse(submission.startedAt);
  const earliest = started - clockTolerance;
  const latest = started + longestUpload + clockTolerance;
  const found = new Map<string, MessageBatch>();
  const seen = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await batches.list({ limit: pageSize, cursor, signal: options.signal });
    const fresh = items.filter(batch => !seen.has(batch.id));
    for (const batch of fresh) {
      seen.add(batch.id);
      const created = Date.parse(batch.created_at ?? '');
      const inTime = Number.isNaN(created) || (created >= earliest && created <= latest);
      const owner = registry.findByBatch(submission.connection, batch.id);
      if (inTime && totalOf(batch.request_counts) === submission.requestCount && (owner === undefined || owner.id === submission.id)) {
        found.set(batch.id, batch);
      }
    }
    const pastIt = fresh.length > 0 && fresh.every(batch => Date.parse(batch.created_at ?? '') < earliest);
    if (pastIt || nextCursor === undefined) {
      return { candidates: [...found.values()], reachedBack: true, lookedAt: seen.size };
    }
    if (fresh.length === 0 || cursors.has(nextCursor)) {
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { candidates: [...found.values()], reachedBack: false, lookedAt: seen.size };
}
