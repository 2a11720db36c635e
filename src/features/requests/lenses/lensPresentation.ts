import type { Translate } from '../../../common/text/translate';
import { toByteSize } from '../../../shared/text';
import { toNumber, toRequestCount } from '../checking/problemsPresentation';

/** `Create Batch (412 requests, 1.2 MB)`; without the size where there is little room. */
export function toCreateTitle(requests: number, bytes: number | undefined, t: Translate, locale?: string): string {
  if (bytes === undefined) {
    return t('Create Batch ({0})', toRequestCount(requests, t, locale));
  }
  return t('Create Batch ({0}, {1})', toRequestCount(requests, t, locale), toByteSize(bytes, locale));
}

/** `12 need review`. */
export function toReviewCount(count: number, t: Translate, locale?: string): string {
  return count === 1 ? t('1 needs review') : t('{0} need review', toNumber(count, locale));
}
