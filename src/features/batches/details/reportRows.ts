import type { PresentationContext } from '../../../common/text/presentation';
import { type CountedReport, type ResultsReport, statusCounts } from '../../../jsonl/results/resultsReport';
import { numberFormat } from '../../../shared/formats';
import { resultStatuses, toStatusName } from '../../../shared/results/resultStatus';

/** Returns the number of results by status: the first status always, others if they occur, requests without an answer last. */
export function statusRows(
  report: CountedReport,
  { translate: t, locale }: Pick<PresentationContext, 'translate' | 'locale'>,
): readonly (readonly [name: string, value: string])[] {
  const counts = statusCounts(report);
  const number = numberFormat(locale);
  const rows = resultStatuses.map(status => [toStatusName(status, t), counts[status]] as const);
  return [...rows, [t('Requests without an answer'), counts.missing] as const]
    .filter(([, count], place) => count > 0 || place === 0)
    .map(([name, count]) => [name, number.format(count)]);
}

/** Returns the rows of tokens read from or written to a cache, if there are any. The input tokens do not include them. */
export function cacheRows(
  { cacheReadTokens = 0, cacheWriteTokens = 0 }: Pick<ResultsReport, 'cacheReadTokens' | 'cacheWriteTokens'>,
  { translate, locale }: Pick<PresentationContext, 'translate' | 'locale'>,
): readonly (readonly [name: string, value: string])[] {
  const number = numberFormat(locale);
  return [
    ...(cacheReadTokens > 0 ? [[translate('Tokens read from the cache'), number.format(cacheReadTokens)] as const] : []),
    ...(cacheWriteTokens > 0 ? [[translate('Tokens written to the cache'), number.format(cacheWriteTokens)] as const] : []),
  ];
}
