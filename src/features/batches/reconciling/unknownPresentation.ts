import type { PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { isDamaged, type Submission } from '../../ledger';
import { isSearchExhausted, openCandidates } from './searchSchedule';

export type UnknownState = 'looking' | 'not_looked' | 'one' | 'several' | 'none_yet' | 'none';

export function unknownStateOf(submission: Submission, now: number): UnknownState {
  const { search } = submission;
  if (isDamaged(submission)) {
    return 'not_looked';
  }
  if (search === undefined) {
    return 'looking';
  }
  const { length } = openCandidates(submission);
  if (length > 0) {
    return length === 1 ? 'one' : 'several';
  }
  if (search.elsewhere !== undefined) {
    return 'not_looked';
  }
  return isSearchExhausted(submission, now) ? 'none' : 'none_yet';
}

/** Describes a submission with an unknown outcome for its row, with a codicon. */
export function describeUnknownState(
  submission: Submission,
  { translate, locale, now }: PresentationContext,
): { readonly words: string; readonly icon: string } {
  const count = numberFormat(locale).format(openCandidates(submission).length);
  const possible = { words: translate('response lost, possible batches: {0}', count), icon: 'question' };
  const states: Readonly<Record<UnknownState, { readonly words: string; readonly icon: string }>> = {
    looking: { words: translate('response lost, looking for the batch'), icon: 'search' },
    not_looked: {
      words: isDamaged(submission) ? translate('record damaged, a batch may exist') : translate('response lost, a batch may exist'),
      icon: 'question',
    },
    one: possible,
    several: possible,
    none_yet: { words: translate('response lost, no batch found'), icon: 'search' },
    none: { words: translate('response lost, no batch found'), icon: 'question' },
  };
  return states[unknownStateOf(submission, now)];
}
