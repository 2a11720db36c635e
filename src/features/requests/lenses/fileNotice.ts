import type { Translate } from '../../../common/text/translate';
import { type CountedReport, reviewCount, statusCounts } from '../../../jsonl/results/resultsReport';
import { toProblemCount } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { countProblems, type ProblemCounts, toNumber } from '../checking/problemsPresentation';

/** State of an open request file. */
export interface FileState {
  /** `undefined` if problems are turned off. */
  readonly problems: ProblemCounts | undefined;
  /** Newest submission without fetched results. */
  readonly pending: Pick<Submission, 'state' | 'batch' | 'batchId' | 'group'> | undefined;
  /** Report of the results at the lines. */
  readonly report: CountedReport | undefined;
  readonly hasConnection: boolean;
}

/** Most important fact about a file, and the action of a click on it. */
export interface FileNotice {
  readonly act: 'showProblems' | 'showBatches' | 'fetch' | 'sendAgain' | 'connect';
  readonly words: string;
}

/** Returns the notice to show, or `undefined` if there is none. Results come before problems, which the editor shows anyway. */
export function toFileNotice(
  { problems, pending, report, hasConnection }: FileState,
  t: Translate,
  locale?: string,
): FileNotice | undefined {
  if (pending !== undefined) {
    return toPending(pending, t);
  }
  if (report !== undefined && reviewCount(report) > 0) {
    return { act: 'sendAgain', words: toFailingWords(report, t, locale) };
  }
  if (problems !== undefined && countProblems(problems) > 0) {
    return { act: 'showProblems', words: toProblemCount(problems, t, locale) };
  }
  return hasConnection ? undefined : { act: 'connect', words: t('No connection') };
}

function toPending({ state, batch, batchId, group }: NonNullable<FileState['pending']>, t: Translate): FileNotice {
  if (batch?.processing_status === 'ended') {
    return batchId !== undefined && group === undefined
      ? { act: 'fetch', words: t('Fetch Results') }
      : { act: 'showBatches', words: t('Ended, results not fetched') };
  }
  const words = state === 'sending' ? t('Being sent') : state === 'unknown' ? t('response lost, a batch may exist') : t('Running…');
  return { act: 'showBatches', words };
}

/** `56 failed or cut short`, if these are all that did not succeed. */
function toFailingWords(report: CountedReport, t: Translate, locale: string | undefined): string {
  const { cut_short: cutShort, failed } = statusCounts(report);
  const count = reviewCount(report);
  const words = toNumber(count, locale);
  switch (count) {
    case failed:
      return t('{0} failed', words);
    case cutShort:
      return t('{0} cut short', words);
    case failed + cutShort:
      return t('{0} failed or cut short', words);
    default:
      return t('{0} without a good result', words);
  }
}
