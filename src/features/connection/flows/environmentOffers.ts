import { type BaseUrl, parseBaseUrl } from '../../../client/transport/baseUrl';
import { parseApiKey } from './apiKey';

/**
 * Addresses and key variables found in the environment. Only the names of key variables are included: a value is read when it is chosen.
 */
export interface EnvironmentOffers {
  readonly addresses: readonly { readonly variable: string; readonly baseUrl: BaseUrl }[];
  /** Names of the variables whose value can be a key. */
  readonly keyVariables: readonly string[];
}

const addressEnd = '_BASE_URL';
const keyEnd = '_API_KEY';

/** Finds `*_BASE_URL` and `*_API_KEY` variables to offer to the user. */
export function findOffers(environment: Readonly<Record<string, string | undefined>>): EnvironmentOffers {
  const addresses: { variable: string; baseUrl: BaseUrl }[] = [];
  const keyVariables: string[] = [];
  for (const [variable, value] of Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined) {
      continue;
    }
    if (variable.toUpperCase().endsWith(addressEnd)) {
      const baseUrl = parseBaseUrl(value);
      if (typeof baseUrl !== 'string') {
        addresses.push({ variable, baseUrl });
      }
    } else if (variable.toUpperCase().endsWith(keyEnd) && typeof parseApiKey(value) === 'object') {
      keyVariables.push(variable);
    }
  }
  return { addresses, keyVariables };
}

/** Returns whether a key variable and an address variable have the same prefix and so belong together. */
export function belongTogether(keyVariable: string, addressVariable: string | undefined): boolean {
  return (
    addressVariable !== undefined &&
    keyVariable.slice(0, -keyEnd.length).toUpperCase() === addressVariable.slice(0, -addressEnd.length).toUpperCase()
  );
}
