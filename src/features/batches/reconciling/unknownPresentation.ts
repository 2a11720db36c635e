import type { PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { type Uncertainty, isDamaged, type Submission } from '../../ledger';
import { isSearchExhausted, openCandidates } from './searchSchedule';

/** State of the search for a submission with an unknown outcome. */
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
  switch (unknownStateOf(submission, now)) {
    case 'looking':
      return { words: translate('answer lost, looking for its batch'), icon: 'search' };
    case 'not_looked':
      if (isDamaged(submission)) {
        return { words: translate('record damaged, not known whether it was created'), icon: 'question' };
      }
      return { words: translate('answer lost, not known whether it was created'), icon: 'question' };
    case 'one':
      return { words: translate('answer lost, one batch can be it'), icon: 'question' };
    case 'several': {
      const count = numberFormat(locale).format(openCandidates(submission).length);
      return { words: translate('answer lost, {0} batches can be it', count), icon: 'question' };
    }
    case 'none_yet':
      return { words: translate('answer lost, no batch found so far'), icon: 'search' };
    case 'none':
      return { words: translate('answer lost, no batch found'), icon: 'question' };
  }
}

/** Describes what it proves that the results of a batch have the ids of the file. */
export function describeSameIds(doubt: Uncertainty | undefined, t: Translate): string {
  const words: Readonly<Record<Uncertainty, string>> = {
    time: t('Its ids are the same, but it was not made in the seconds between the last byte and the loss of the answer.'),
    made_ids: t('Its ids are the same, but they are those that every file without ids gets.'),
    shared_ids: t('Its ids are the same, but so are those of another submission.'),
    models: t('Its ids are the same, but models answered that the file does not ask for.'),
  };
  return (doubt && words[doubt]) ?? t('Its ids are the same, as they are if somebody else sent the same file then.');
}
