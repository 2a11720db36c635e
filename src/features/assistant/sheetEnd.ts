import type { Submission } from '../ledger';

/**
 * Outcome of a sheet that was opened for a model. The user has not decided while it is `open`. They have decided, and the upload is
 * running, while it is `sending`. They know the reason if it was `notShown`.
 */
export type SheetEnd =
  | { readonly kind: 'sent'; readonly batchIds: readonly string[] }
  | { readonly kind: 'closed' | 'notShown' | 'open' | 'sending' | 'failed' };

/** Returns the outcome of a sheet from the submissions that were started since it was opened. */
export function toSheetEnd(begun: readonly Pick<Submission, 'state' | 'batchId'>[], isClosed: boolean): SheetEnd {
  if (begun.some(({ state }) => state === 'sending')) {
    return { kind: 'sending' };
  }
  const batchIds = begun.flatMap(({ batchId }) => batchId ?? []);
  if (batchIds.length > 0) {
    return { kind: 'sent', batchIds };
  }
  return { kind: begun.length > 0 ? 'failed' : isClosed ? 'closed' : 'open' };
}
