import { isIPv4 } from 'node:net';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';

/** Limits of the service (API facts, section 16). */
const maxHosts = 16;
const maxInUrl = 2047;
const maxInName = 255;

/** Returns why a text is not a valid server URL. `undefined` if it is. */
export function urlProblem(text: string, translate: Translate): string | undefined {
  const tooLong = lengthProblem(text, maxInUrl, translate);
  if (tooLong !== undefined) {
    return tooLong;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return translate('Enter a URL that starts with https://');
  }
  return url.username === '' && url.password === '' ? undefined : translate('Remove keys, user names and parameters from the address.');
}

/** Returns why a text is not a valid name. `undefined` if it is. */
export function nameProblem(text: string, translate: Translate): string | undefined {
  return text.trim() === '' ? translate('Enter a name') : lengthProblem(text, maxInName, translate);
}

/** Returns why a text is not a valid secret, without quoting it. `undefined` if it is. */
export function secretProblem(text: string, most: number, translate: Translate): string | undefined {
  if (text === '') {
    return translate('Enter some text');
  }
  return text.trim() === text ? lengthProblem(text, most, translate) : translate('Remove spaces and invisible characters.');
}

/** Returns the message for a text that is too long for a service. `undefined` if it is not. */
export function lengthProblem(text: string, most: number, translate: Translate): string | undefined {
  return text.length > most ? translate('Use at most {0} characters.', most) : undefined;
}

/** Splits a text into hosts at commas and spaces, without duplicates. */
export function hostsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter(host => host !== ''))];
}

/** Returns the problem of a list of hosts. `undefined` if it is valid. */
export function hostsProblem(text: string, translate: Translate): string | undefined {
  const hosts = hostsOf(text);
  if (hosts.length === 0) {
    return translate('Hosts, separated by commas, such as *.example.com');
  }
  if (hosts.length > maxHosts) {
    return translate('Use at most {1} hosts.', hosts.length, maxHosts);
  }
  const wrong = hosts.find(host => !isHost(host));
  return wrong === undefined ? undefined : translate("{0} isn't a host name, IPv4 address or *.example.com.", toLabel(wrong, 60));
}

function isHost(host: string): boolean {
  const plain = host.startsWith('*.') ? host.slice(2) : host;
  return isIPv4(host) || (plain.length <= 253 && plain.split('.').every(label => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i.test(label)));
}

/** Converts a time to RFC 3339 as the service accepts it. Returns `undefined` if the text is not a time. */
export function timeOf(text: string): string | undefined {
  const trimmed = text.trim();
  const time = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.test(trimmed)
    ? Date.parse(trimmed)
    : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
