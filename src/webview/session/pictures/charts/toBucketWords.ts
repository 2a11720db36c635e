import type { TokenBuckets } from '../../../../shared/session/rows/rows';
import { toCount } from '../../../controls/numbers';
import type { PanelContext } from '../../../controls/panelContext';

export type Bucket = keyof TokenBuckets;

/** Returns the name of a token bucket and its count, which may be unknown. */
export function toBucketWords(bucket: Bucket, value: number | undefined, { t, locale }: Pick<PanelContext, 't' | 'locale'>): string {
  const count = value === undefined ? '–' : toCount(value, locale);
  switch (bucket) {
    case 'input':
      return t('input {0}', count);
    case 'output':
      return t('output {0}', count);
    case 'cacheRead':
      return t('cache read {0}', count);
    case 'cacheWrite':
      return t('cache write {0}', count);
  }
}
