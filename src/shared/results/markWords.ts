import type { RequestMark, ResultMark } from './resultsProtocol';

/** A mark in a word, by a function that puts texts of the interface into the user's language. */
export function toMarkWord(mark: ResultMark | RequestMark, t: (text: string) => string): string {
  switch (mark) {
    case 'succeeded':
      return t('succeeded');
    case 'cut_short':
      return t('cut short');
    case 'refused':
      return t('refused');
    case 'errored':
      return t('errored');
    case 'canceled':
      return t('canceled');
    case 'expired':
      return t('expired');
    case 'fine':
      return t('no problems');
    case 'doubtful':
      return t('warnings');
    case 'faulty':
      return t('errors');
    case 'other':
      return t('unknown result');
  }
}
