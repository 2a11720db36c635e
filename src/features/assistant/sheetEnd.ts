import type { Submission } from '../ledger';

/**
 * What became of a sheet that was opened for a model. `open`: the person has not decided; `sending`: they have, and it is on its way;
 * `notShown`: there was none, and the person knows why.
 */
export type SheetEnd =
  | { readonly kind: 'sent'; readonly batchIds: readonly string[] }
  | { readonly kind: 'closed' | 'notShown' | 'open' | 'sending' | 'failed' };

/** What came of a sheet, by the submissions that were begun since it was opened. */
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
