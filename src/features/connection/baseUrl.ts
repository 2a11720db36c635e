import { isLoopback } from '../../client/transport/parsedBaseUrl';
import { withoutEnd } from '../../shared/trim';

/** A base address that can be used: without a trailing slash, without `/v1`, without user, query or fragment. */
export interface BaseUrl {
  readonly url: string;
  /** Scheme, host and port: what a key is bound to. */
  readonly origin: string;
  /** Host, with the port unless it is the scheme's own. */
  readonly host: string;
  /** Plain http to a host that is not this machine: to be allowed by the user before anything is sent. */
  readonly isInsecure: boolean;
}

/** Why a text is no base address. */
export type BaseUrlProblem = 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'query' | 'fragment';

/**
 * Reads what a person typed or a setting holds as the base address of a service. A missing scheme becomes `https`, or
 * `http` for this machine; a trailing `/v1` is taken off, because every path of the service starts with it.
 */
export function parseBaseUrl(text: string): BaseUrl | BaseUrlProblem {
  const trimmed = text.trim();
  if (trimmed === '') {
    return 'empty';
  }
  const parsed = toUrl(trimmed);
  if (parsed === undefined || /\s/.test(trimmed)) {
    return 'notAnAddress';
  }
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return 'scheme';
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return 'credentials';
  }
  if (parsed.search !== '') {
    return 'query';
  }
  if (parsed.hash !== '') {
    return 'fragment';
  }
  const path = withoutEnd(withoutEnd(parsed.pathname, '/').replace(/\/v1$/, ''), '/');
  return {
    url: `${parsed.origin}${path}`,
    origin: parsed.origin,
    host: parsed.host,
    isInsecure: parsed.protocol === 'http:' && !isLoopback(parsed.hostname),
  };
}

function toUrl(text: string): URL | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return parse(text);
  }
  // `mailto:x` or `javascript:x` is another scheme; `localhost:8080` and `host:443/path` are a host with its port.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0];
  if (scheme !== undefined && !/^\d+(?:\/|$)/.test(text.slice(scheme.length)) && !text.includes('@')) {
    return parse(text);
  }
  const secure = parse(`https://${text}`);
  return secure !== undefined && isLoopback(secure.hostname) ? parse(`http://${text}`) : secure;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Scheme, host and port of an address that `parseBaseUrl` accepted. */
export function toOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Host and port of an address that `parseBaseUrl` accepted. */
export function toHost(baseUrl: string): string {
  return new URL(baseUrl).host;
}
