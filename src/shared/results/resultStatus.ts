/** Statuses of a request's result, in display order. `other` is a type of result that the contract doesn't have. */
export const resultStatuses = ['succeeded', 'cut_short', 'refused', 'empty', 'failed', 'expired', 'canceled', 'other'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** Returns whether a result has an answer of the model, good or not. */
export function hasAnswer(status: ResultStatus): boolean {
  return status === 'succeeded' || status === 'cut_short' || status === 'refused' || status === 'empty';
}

/** Returns the word for a status; `t` translates it. */
export function toStatusWord(status: ResultStatus, t: (text: string) => string): string {
  switch (status) {
    case 'succeeded':
      return t('succeeded');
    case 'cut_short':
      return t('cut short');
    case 'refused':
      return t('refused');
    case 'empty':
      return t('empty');
    case 'failed':
      return t('failed');
    case 'expired':
      return t('expired');
    case 'canceled':
      return t('canceled');
    case 'other':
      return t('unknown result');
  }
}

/** As above, capitalized for a row or group: `Cut short`. */
export function toStatusName(status: ResultStatus, t: (text: string) => string): string {
  const word = toStatusWord(status, t);
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
