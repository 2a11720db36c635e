import { type BaseUrl, parseBaseUrl } from '../baseUrl';
import { parseApiKey } from './apiKey';

/** Addresses and keys that environment variables hold. Only names of key variables are given: a value is read when chosen. */
export interface EnvironmentOffers {
  readonly addresses: readonly { readonly variable: string; readonly baseUrl: BaseUrl }[];
  /** Names of the variables that hold something that can be a key. */
  readonly keyVariables: readonly string[];
}

const addressEnd = '_BASE_URL';
const keyEnd = '_API_KEY';

/** Looks for `*_BASE_URL` and `*_API_KEY`, for the user to choose from. */
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

/** Whether a key variable and an address variable begin with the same words, and so belong together. */
export function belongTogether(keyVariable: string, addressVariable: string | undefined): boolean {
  return (
    addressVariable !== undefined &&
    keyVariable.slice(0, -keyEnd.length).toUpperCase() === addressVariable.slice(0, -addressEnd.length).toUpperCase()
  );
}
