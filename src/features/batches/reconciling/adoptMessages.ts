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
      ? total === 1
        ? t('Fits: both have 1 request.')
        : t('Fits: both have {0} requests.', number.format(total))
      : total === 1
        ? t('Does not fit: the batch has 1 request, {0} has {1}.', file, number.format(requestCount))
        : t('Does not fit: the batch has {0} requests, {1} has {2}.', number.format(total), file, number.format(requestCount)),
  ];
  if (invalidCount > 0) {
    lines.push(
      invalidCount === 1
        ? t('1 line of {0} holds no request.', file)
        : t('{0} lines of {1} hold no request.', number.format(invalidCount), file),
    );
  }
  if (ids === undefined) {
    lines.push(t('Not known yet: whether the ids match. They can be compared once the batch has results.'));
  } else if (ids.compared === 0) {
    lines.push(t('Not known: no id could be read from the results.'));
  } else if (ids.verdict === 'same') {
    lines.push(
      ids.compared === 1
        ? t('Fits: the 1 id that was looked at in the results is in {0}.', file)
        : t('Fits: all of the {0} ids that were looked at in the results are in {1}.', number.format(ids.compared), file),
    );
  } else {
    lines.push(
      t('Does not fit: of {0} ids from the results, {1} found in {2}.', number.format(ids.compared), number.format(ids.known), file),
    );
  }
  if (batch.created_at) {
    lines.push(t('The batch was created {0}.', describeTime(batch.created_at, context)));
  }
  lines.push(t('Linking changes nothing on the service. It lets the results be joined with this file.'));
  return lines.join('\n');
}
