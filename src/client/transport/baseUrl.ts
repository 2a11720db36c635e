import { withoutEnd } from '../../shared/trim';

/** Returns whether the host name of a URL is this machine: `localhost`, a name below it, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Normalized base URL: without a trailing slash, `/v1`, user, query or fragment. */
export interface BaseUrl {
  readonly url: string;
  /** Scheme, host and port. A key is bound to this origin. */
  readonly origin: string;
  /** Path before `/v1`, without a slash at its end. */
  readonly path: string;
  /** Host with its port. The scheme's default port is left out. */
  readonly host: string;
  /** True for plain http to another machine, which the user must allow before anything is sent. */
  readonly isInsecure: boolean;
}

/** Reason why a text is not a base URL. `noAddress`: the text is not a URL. `extras`: the URL has extra parts. */
export type BaseUrlProblem = 'noAddress' | 'extras';

/**
 * Parses a typed or configured base URL of a service. A missing scheme becomes `https`, or `http` for this machine. A trailing `/v1` is
 * removed, because every path of the service starts with it.
 */
export function parseBaseUrl(text: string): BaseUrl | BaseUrlProblem {
  const trimmed = text.trim();
  const parsed = toUrl(trimmed);
  if (parsed === undefined || /\s/.test(trimmed) || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    return 'noAddress';
  }
  if ([parsed.username, parsed.password, parsed.search, parsed.hash].some(part => part !== '')) {
    return 'extras';
  }
  const path = withoutEnd(withoutEnd(parsed.pathname, '/').replace(/\/v1$/, ''), '/');
  return {
    url: `${parsed.origin}${path}`,
    origin: parsed.origin,
    path,
    host: parsed.host,
    isInsecure: parsed.protocol === 'http:' && !isLoopback(parsed.hostname),
  };
}

function toUrl(text: string): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return parse(text);
  }
  // Distinguishes a scheme (`mailto:x`, `javascript:x`) from a host with a port (`localhost:8080`, `host:443/path`).
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0];
  if (scheme !== undefined && !/^\d+(?:\/|$)/.test(text.slice(scheme.length)) && !text.includes('@')) {
    return parse(text);
  }
  const secure = parse(`https://${text}`);
  return secure !== undefined && isLoopback(secure.hostname) ? parse(`http://${text}`) : secure;
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Returns scheme, host and port of an address that `parseBaseUrl` accepted. */
export function toOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
