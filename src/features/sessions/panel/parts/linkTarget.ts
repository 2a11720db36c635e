import { isLoopback } from '../../../../client/transport/parsedBaseUrl';
import { toLabel } from '../../../../shared/text';

/** A link that may be opened after the user has confirmed it. */
export interface LinkTarget {
  /** Normalised: the host in ASCII, other characters percent-encoded. */
  readonly href: string;
  /** Host and port as they are resolved: punycode instead of look-alike letters. */
  readonly host: string;
  /** The whole address on one line, safe to show. */
  readonly shown: string;
}

/** Maximum length of an address in a dialog, in characters. A longer one shows how much is left out. */
const shownLength = 600;

/**
 * Returns the target of a link in a transcript, or `undefined` for a link that is never opened. Allows only https, and http to this
 * machine. Rejects addresses with a user name, which only serve to imitate another host.
 */
export function toLinkTarget(href: string): LinkTarget | undefined {
  let url: URL;
  try {
    url = new URL(href.trim());
  } catch {
    return undefined;
  }
  const isOpenable = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isOpenable || url.hostname === '' || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return { href: url.href, host: url.host, shown: toLabel(url.href, shownLength) };
}
