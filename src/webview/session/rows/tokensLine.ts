import type { TokenBuckets } from '../../../shared/session/rows/rows';
import type { Translate } from '../../../shared/session/translateText';
import { toCount } from '../../controls/numbers';

/** Formats the known token buckets: `1,200 in · 300 out · 9,000 from cache`. */
export function tokensLine({ input, output, cacheRead, cacheWrite }: TokenBuckets, t: Translate, locale: string): string {
  return [
    input === undefined ? undefined : t('{0} in', toCount(input, locale)),
    output === undefined ? undefined : t('{0} out', toCount(output, locale)),
    cacheRead === undefined ? undefined : t('{0} read from cache', toCount(cacheRead, locale)),
    cacheWrite === undefined ? undefined : t('{0} written to cache', toCount(cacheWrite, locale)),
  ]
    .filter(words => words !== undefined)
    .join(' · ');
}
