import type { ResultMark } from '../../shared/results/protocol';
import type { Translate } from '../session/panelContext';

/** A mark in a word; its sign stands before it by the style sheet. */
export function toMarkWord(mark: ResultMark, t: Translate): string {
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
    case 'other':
      return t('unknown result');
  }
}
