import type { RequestMark } from './resultsProtocol';

/** Statuses of a request's result, in display order. `other` is a type of result that the contract doesn't have. */
export const resultStatuses = ['succeeded', 'cut_short', 'refused', 'empty', 'failed', 'expired', 'canceled', 'other'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** Returns whether a result has an answer of the model, even an answer that is cut short, refused or empty. */
export function hasAnswer(status: ResultStatus): boolean {
  return status === 'succeeded' || status === 'cut_short' || status === 'refused' || status === 'empty';
}

/** Returns the word for a status or a mark. `t` translates the word. */
export function toStatusWord(status: ResultStatus | RequestMark, t: (text: string) => string): string {
  return {
    succeeded: t('succeeded'),
    cut_short: t('cut short'),
    refused: t('refused'),
    empty: t('empty'),
    failed: t('failed'),
    expired: t('expired'),
    canceled: t('canceled'),
    other: t('unknown result'),
    fine: t('No problems'),
    doubtful: t('warnings'),
    faulty: t('errors'),
  }[status];
}

/** Returns the capitalized word for a status, for a row or group: `Cut short`. */
export function toStatusName(status: ResultStatus, t: (text: string) => string): string {
  const word = toStatusWord(status, t);
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
