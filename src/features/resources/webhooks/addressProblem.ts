import type { Translate } from '../../../common/text/translate';

/** Returns why a delivery can't be sent to an address. `undefined` for a valid address of this machine. */
export function addressProblem(text: string, translate: Translate): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') {
    return translate('Enter a URL that starts with http://');
  }
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname)
    ? undefined
    : translate('It is sent to this machine only: 127.0.0.1 or localhost.');
}
