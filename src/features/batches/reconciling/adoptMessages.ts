import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { totalOf } from '../batchPresentation';
import { describeTime, type MessageContext } from '../submitting/createBatchMessages';
import type { IdComparison } from './sameIds';

/** Comparison of a request file with a batch that was created elsewhere. */
export interface Fit {
  readonly batch: MessageBatch;
  readonly fileName: string;
  /** Number of requests in the file. */
  readonly requestCount: number;
  /** Number of non-empty lines without a request. */
  readonly invalidCount: number;
  /** Missing while the batch has no results. */
  readonly ids?: Pick<IdComparison, 'verdict' | 'compared' | 'known'>;
}

/** Returns whether nothing contradicts that the file and the batch belong together. Only ids can prove it. */
export function fits({ batch, requestCount, ids }: Fit): boolean {
  return totalOf(batch.request_counts) === requestCount && (ids === undefined || ids.verdict === 'same');
}

/** Describes what matches and what doesn't, one line each. */
export function describeFit({ batch, fileName, requestCount, invalidCount, ids }: Fit, context: MessageContext): string {
  const { translate: t, locale } = context;
  const number = numberFormat(locale);
  const file = toLabel(fileName, 80);
  const total = totalOf(batch.request_counts);
  const lines = [
    total === requestCount
      ? t('Fits: requests match ({0}).', number.format(total))
      : t("Doesn't fit: requests in the batch: {0}, in {1}: {2}.", number.format(total), file, number.format(requestCount)),
  ];
  if (invalidCount > 0) {
    lines.push(t('Lines of {1} without a request: {0}.', number.format(invalidCount), file));
  }
  if (ids === undefined || ids.compared === 0) {
    lines.push(t("The IDs can't be compared yet."));
  } else if (ids.verdict === 'same') {
    lines.push(t('Fits: all compared IDs are in {1} ({0}).', number.format(ids.compared), file));
  } else {
    lines.push(t("Doesn't fit: {1} of {0} compared IDs are in {2}.", number.format(ids.compared), number.format(ids.known), file));
  }
  if (batch.created_at) {
    lines.push(t('Created {0}.', describeTime(batch.created_at, context)));
  }
  lines.push(t('Linking changes nothing on the service.'));
  return lines.join('\n');
}
