import type { PresentationContext } from '../../../common/text/presentation';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import { numberFormat } from '../../../shared/formats';

/** Input tokens that were read from a cache or written to one, where there were any: they are beside the input tokens. */
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
