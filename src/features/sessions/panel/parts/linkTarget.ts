import { isLoopback } from '../../../../client/transport/parsedBaseUrl';
import { toLabel } from '../../../../shared/text';

/** A link that may be opened, after the user was asked. */
export interface LinkTarget {
  /** Normalised: the host in its ASCII form, whatever is no ASCII percent-encoded. */
  readonly href: string;
  /** Host and port as they are looked up: punycode, never letters that look alike. */
  readonly host: string;
  /** The whole address on one line, safe to show. */
  readonly shown: string;
}

/** Characters of an address that a dialog shows; a longer one tells how much is left out. */
const shownLength = 600;

/**
 * What a link out of a transcript leads to, or undefined when it is one that is never opened: anything but https, and http to this
 * machine; and addresses with a user name, which only serve to look like another host.
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
