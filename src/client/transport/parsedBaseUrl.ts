import { withoutEnd } from '../../shared/trim';

/** Where a connection leads; `path` is what stands before `/v1`. */
export interface ParsedBaseUrl {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
  readonly url: URL;
}

/** Whether a host name of a URL is this machine: `localhost`, a name under it, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The address resources stand under, without `/v1` and without a slash at its end; a path before it is kept. Undefined when
 * the text is no http or https URL, or carries a user name, a query or a fragment.
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
