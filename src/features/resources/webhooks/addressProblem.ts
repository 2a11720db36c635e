import type { Translate } from '../../../common/text/translate';

/** Returns why a delivery can't be sent to an address. `undefined` for a valid address of this machine. */
export function addressProblem(text: string, translate: Translate): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere =
    url?.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname));
  return isHere ? undefined : translate('Enter a URL on this machine that starts with http://');
}
