import type { MessageBatch } from '../../../client/schemas/messageBatches';

/**
 * Why results could not be fetched: the batch has `not_ended`; its results are `gone` from the service; they arrived `cut` every
 * time; they are too `large` to be fetched without being asked for; or what arrived was `foreign`, no results file at all.
 */
export type ResultsFetchProblem = 'not_ended' | 'gone' | 'cut' | 'large' | 'foreign';

/** Results were not fetched, for a reason that is not the connection's or the disk's. `message` is a sentence for people. */
export class ResultsFetchError extends Error {
  override readonly name = 'ResultsFetchError';
  /** Where the readable lines of cut results were kept; they can be joined by `joinFetched`. */
  readonly incompletePath: string | undefined;

  constructor(
    readonly kind: ResultsFetchProblem,
    message: string,
    details: { readonly cause?: unknown; readonly incompletePath?: string } = {},
  ) {
    super(message, { cause: details.cause });
    this.incompletePath = details.incompletePath;
  }
}

/** Throws when the batch itself says that there are no results to fetch. */
export function assertFetchable(batch: MessageBatch): void {
  if (batch.processing_status !== 'ended') {
    throw new ResultsFetchError(
      'not_ended',
      `Batch ${batch.id} is still ${batch.processing_status.replaceAll('_', ' ')}. Its results can be fetched when it has ended.`,
    );
  }
  if (typeof batch.archived_at === 'string' || batch.results_url === null) {
    throw toGone(batch);
  }
}

export function toGone(batch: MessageBatch, cause?: unknown): ResultsFetchError {
  const since = typeof batch.archived_at === 'string' ? ` since ${batch.archived_at}` : '';
  return new ResultsFetchError(
    'gone',
    `The results of batch ${batch.id} are no longer available from the service${since}. They cannot be fetched again.`,
    { cause },
  );
}

export function toTooLarge(batch: MessageBatch, maxBytes: number): ResultsFetchError {
  return new ResultsFetchError('large', `The results of batch ${batch.id} are larger than ${maxBytes >> 20} MiB.`);
}

export function toForeign(batch: MessageBatch, what: string, cause?: unknown): ResultsFetchError {
  return new ResultsFetchError(
    'foreign',
    `What was received as the results of batch ${batch.id} is ${what}. Something between this machine and the service may have answered in its place; nothing was kept.`,
    { cause },
  );
}
