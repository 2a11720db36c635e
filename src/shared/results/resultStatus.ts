/** What became of one request, in the order in which people read it. `other`: a type of result that the contract does not know. */
export const resultStatuses = ['succeeded', 'cut_short', 'refused', 'empty', 'failed', 'expired', 'canceled', 'other'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** Whether the model answered, however well. */
export function hasAnswer(status: ResultStatus): boolean {
  return status === 'succeeded' || status === 'cut_short' || status === 'refused' || status === 'empty';
}

/** A status in words; `t` translates texts of the interface. */
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

/** The same as a name of a row or group: `Cut short`. */
export function toStatusName(status: ResultStatus, t: (text: string) => string): string {
  const word = toStatusWord(status, t);
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
