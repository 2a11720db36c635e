import type { Translate } from '../../../common/text/translate';
import type { SplitPlan } from '../../../jsonl/arranging/arrangingJobs';
import type { BatchLimits } from '../../../jsonl/checking/batchFileReport';
import { numberFormat } from '../../../shared/formats';
import { toByteSize, toLabel } from '../../../shared/text';

/** The way to split a file to the limits of a connection, or to those that connections have by themselves when none is chosen. */
export function toLimitsChoice(
  { maxRequests, maxBytes }: BatchLimits,
  connection: string | undefined,
  t: Translate,
  locale?: string,
): { readonly label: string; readonly detail: string } {
  const bounds = t('At most {0} requests and {1} each', numberFormat(locale).format(maxRequests), toByteSize(maxBytes, locale));
  return connection === undefined
    ? { label: t('To the usual limits'), detail: t('{0}, as connections have them by themselves; none is chosen', bounds) }
    : { label: t('To the limits of {0}', toLabel(connection, 60)), detail: bounds };
}

/** Whether a file is one batch as it stands: its only part would be a copy, without even ids written into it. */
export function isOneBatch({ parts, bare }: Pick<SplitPlan, 'parts' | 'bare'>): boolean {
  return parts.length === 1 && bare === 0;
}
