import { type ResultStatus, toStatusWord } from './resultStatus';
import type { RequestMark } from './resultsProtocol';

/** Returns the word for a row's mark; `t` translates it. */
export function toMarkWord(mark: ResultStatus | RequestMark, t: (text: string) => string): string {
  switch (mark) {
    case 'fine':
      return t('No problems');
    case 'doubtful':
      return t('warnings');
    case 'faulty':
      return t('errors');
    default:
      return toStatusWord(mark, t);
  }
}
