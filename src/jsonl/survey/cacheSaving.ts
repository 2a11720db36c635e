import type { SharedPrefix } from './fileSurvey';

/** Prices of one million tokens, as the user gave them. */
export interface CachePrices {
  readonly input: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** What marking one prefix changes, beyond what its parent does. */
export interface CacheSaving {
  /** Tokens that are read from the cache instead of anew: none when no request finds it, all but the first request's at best. */
  readonly readTokens: { readonly low: 0; readonly high: number };
  /**
   * Money saved, in the prices' currency; undefined without the prices of both reading and writing. `low` is what is lost, as a
   * negative number, when every request writes the prefix and none reads it, which costs more than no marker at all.
   */
  readonly money: { readonly low: number; readonly high: number } | undefined;
}

/**
 * What caching a prefix saves, as a range. Whether a request finds the prefix is up to the service: requests of a batch run at the
 * same time and in any order, a batch's cache is its own, and what nobody reads for the marker's ttl is gone. `parent` is the listed
 * prefix that this one goes on from: the savings of all listed prefixes can then be added up.
 */
export function cacheSaving(
  prefix: Pick<SharedPrefix, 'requests' | 'tokens'>,
  parent: Pick<SharedPrefix, 'tokens'> | undefined,
  prices?: CachePrices,
): CacheSaving {
  const tokens = Math.max(0, prefix.tokens.likely - (parent?.tokens.likely ?? 0));
  const high = (prefix.requests - 1) * tokens;
  return { readTokens: { low: 0, high }, money: moneyOf(tokens, prefix.requests, prices) };
}

function moneyOf(tokens: number, requests: number, prices: CachePrices | undefined): CacheSaving['money'] {
  if (prices?.cacheRead === undefined || prices.cacheWrite === undefined) {
    return undefined;
  }
  const { input, cacheRead, cacheWrite } = prices;
  const written = input - cacheWrite;
  const read = input - cacheRead;
  const all = (perToken: number) => (perToken * tokens) / 1e6;
  const worst = all(written * requests);
  const best = all(written + read * (requests - 1));
  return { low: Math.min(worst, best), high: Math.max(worst, best) };
}
