import { describeTime, type PresentationContext } from '../../../common/text/presentation';
import { numberFormat, toNumber } from '../../../shared/formats';
import { join } from '../../../shared/text';
import { type Candidate, isDamaged, type Submission } from '../../ledger';
import { isSearchExhausted, openCandidates } from './searchSchedule';

type UnknownState = 'looking' | 'not_looked' | 'one' | 'several' | 'none_yet' | 'none';

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

/** Returns the state text and the codicon for a submission with an unknown outcome. */
export function describeUnknownState(submission: Submission, { translate, locale, now }: PresentationContext) {
  const count = numberFormat(locale).format(openCandidates(submission).length);
  const possible = { words: translate('response lost, possible batches: {0}', count), icon: 'question' };
  const states: Readonly<Record<UnknownState, { readonly words: string; readonly icon: string }>> = {
    looking: { words: translate('response lost, searching for the batch'), icon: 'search' },
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

/** Describes the result of the search for the batch of a submission, in sentences. */
export function describeSearch(submission: Submission, context: PresentationContext): string {
  const { translate, locale } = context;
  const open = openCandidates(submission);
  const findings: Readonly<Record<UnknownState, string>> = {
    looking: translate('The response was lost. Searching for the batch…'),
    not_looked: translate("The response was lost, and the service couldn't be reached to check."),
    one: translate('The response was lost. Possible batch: {0}.', open[0]?.batchId ?? ''),
    several: translate('The response was lost. Possible batches: {0}.', toNumber(open.length, locale)),
    none_yet: translate('The response was lost. No batch found yet; the list will be checked again.'),
    none: translate('The response was lost, and no batch was found. Decide whether to send the file again.'),
  };
  return findings[unknownStateOf(submission, context.now)];
}

/** Describes when a candidate was created, and whether the IDs in its results match. */
export function describeVerdict({ createdAt, ids, atAnotherTime }: Candidate, context: PresentationContext): string {
  const { translate } = context;
  const created = createdAt === undefined ? '' : translate('Created {0}.', describeTime(createdAt, context));
  const time = atAnotherTime === true ? translate('The clocks may differ.') : '';
  const verdicts: Readonly<Record<NonNullable<Candidate['ids']>, string>> = {
    same: translate('Same IDs. Someone else may have sent the same file.'),
    different: translate('Different IDs: not this batch.'),
    unclear: translate("The IDs don't show whether this is the batch."),
  };
  return join(' ', created, time, ids === undefined ? translate('Not compared yet.') : verdicts[ids]);
}
