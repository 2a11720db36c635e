import type { Translate } from '../../../common/text/translate';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { toByteSize } from '../../../shared/text';
import { toNumber, toRequestCount } from '../checking/problemsPresentation';

/** `Create Batch (412 requests, 1.2 MB)`; without the size where there is little room. */
export function toCreateTitle(requests: number, bytes: number | undefined, t: Translate, locale?: string): string {
  if (bytes === undefined) {
    return t('Create Batch ({0})', toRequestCount(requests, t, locale));
  }
  return t('Create Batch ({0}, {1})', toRequestCount(requests, t, locale), toByteSize(bytes, locale));
}

/** How many requests of fetched results failed, were not answered, or have an answer that was cut short or refused. */
export function countNeedingLook({ counts, cutShort, refused, missing }: ResultsReport): number {
  return cutShort + refused + counts.errored + counts.canceled + counts.expired + counts.other + missing.count;
}

/** `1,204 succeeded · 12 need a look`: what fetched results come to for the user. */
export function toOutcome(report: ResultsReport, t: Translate, locale?: string): string {
  const good = report.counts.succeeded - report.cutShort - report.refused;
  const parts = [t('{0} succeeded', toNumber(good, locale)), toNeedingLook(countNeedingLook(report), t, locale)];
  return parts.filter(part => part !== '').join(' · ');
}

/** `12 need a look`; empty for none. */
export function toNeedingLook(count: number, t: Translate, locale?: string): string {
  return count === 0 ? '' : count === 1 ? t('1 needs a look') : t('{0} need a look', toNumber(count, locale));
}

/** `12 answers · 1 cut short · 2 errors`: what the newest fetched results of a file hold. */
export function toAnswersSummary(report: ResultsReport, t: Translate, locale?: string): string {
  const { succeeded, errored, canceled, expired, other } = report.counts;
  const parts = [
    succeeded === 1 ? t('1 answer') : t('{0} answers', toNumber(succeeded, locale)),
    ...(report.cutShort > 0 ? [t('{0} cut short', toNumber(report.cutShort, locale))] : []),
    ...(report.refused > 0 ? [t('{0} refused', toNumber(report.refused, locale))] : []),
    ...(errored > 0 ? [errored === 1 ? t('1 error') : t('{0} errors', toNumber(errored, locale))] : []),
    ...(canceled > 0 ? [t('{0} canceled', toNumber(canceled, locale))] : []),
    ...(expired > 0 ? [t('{0} expired', toNumber(expired, locale))] : []),
    ...(other > 0 ? [t('{0} of another kind', toNumber(other, locale))] : []),
    ...(report.missing.count > 0 ? [t('{0} missing', toNumber(report.missing.count, locale))] : []),
  ];
  return parts.join(' · ');
}
