import { withoutEnd } from '../../shared/trim';

/** Target of a connection. `path` is the part before `/v1`. */
export interface ParsedBaseUrl {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  readonly url: URL;
}

/** Returns whether the host name of a URL is this machine: `localhost`, a name below it, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Parses the address that all resources are below, without `/v1` and trailing slash. A path before it is preserved. Returns `undefined` if
 * the text is not an http or https URL, or if it has a user name, a query or a fragment.
 */
export function parseBaseUrl(text: string): ParsedBaseUrl | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return undefined;
  }
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return undefined;
  }
  const path = withoutEnd(url.pathname, '/').replace(/\/v1$/, '');
  return { origin: url.origin, host: url.host, path, url };
}
