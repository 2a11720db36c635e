import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import type { NetworkOptions } from '../../../client/clientOptions';
import { isLoopback } from '../../../client/transport/baseUrl';
import { environmentProxy, isExcluded } from '../../../client/transport/environmentProxy';

/** Network settings of VS Code and the environment (see `toNetworkOptions`). */
export interface NetworkSources {
  /** Proxy in the settings of the user or the machine. Like the settings below, never read from a workspace. */
  readonly proxy: string;
  readonly noProxy: readonly string[];
  readonly proxySupport: string;
  readonly strictSsl: boolean;
  readonly proxyAuthorization: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Certificate authorities of the system and of `NODE_EXTRA_CA_CERTS`, in PEM. */
  readonly certificateAuthorities: readonly string[];
}

/**
 * Returns the client's network options. `http.proxy` takes precedence over the environment's proxy variables, and `http.noProxy` over
 * `NO_PROXY`. No proxy is used for this machine, or if `http.proxySupport` is `off`.
 */
export function toNetworkOptions(sources: NetworkSources): NetworkOptions {
  return {
    proxyFor: url => findProxy(url, sources),
    strictTls: sources.strictSsl,
    ...(sources.proxyAuthorization === undefined ? {} : { proxyAuthorization: sources.proxyAuthorization }),
    ...(sources.certificateAuthorities.length === 0 ? {} : { certificateAuthorities: sources.certificateAuthorities }),
  };
}

function findProxy(url: URL, { proxy, noProxy, proxySupport, environment }: NetworkSources): string | undefined {
  if (proxySupport === 'off' || isLoopback(url.hostname)) {
    return undefined;
  }
  if (noProxy.length > 0 && isExcluded(url, noProxy.join(','))) {
    return undefined;
  }
  const configured = proxy.trim();
  if (configured === '') {
    return environmentProxy(url, noProxy.length > 0 ? { ...environment, NO_PROXY: '', no_proxy: '' } : environment);
  }
  const exceptions = environment.no_proxy || environment.NO_PROXY || '';
  return noProxy.length === 0 && isExcluded(url, exceptions) ? undefined : configured;
}

/** `tls.getCACertificates` exists since Node 22.15, which is part of the oldest supported VS Code. The types lack it. */
interface WithSystemCertificates {
  getCACertificates(type: 'system'): string[];
}

interface CertificateSources {
  /** Value of `http.systemCertificates`. */
  readonly useSystem: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with a message about each unreadable source. That source is skipped. */
  readonly warn: (message: string) => void;
}

/** Returns additional certificate authorities in PEM, from the operating system and from `NODE_EXTRA_CA_CERTS`, without duplicates. */
export async function readCertificateAuthorities(sources: CertificateSources): Promise<readonly string[]> {
  const found = new Set<string>();
  if (sources.useSystem) {
    try {
      for (const certificate of (tls as unknown as WithSystemCertificates).getCACertificates('system')) {
        found.add(certificate.trim());
      }
    } catch (error) {
      sources.warn(`The system's certificates could not be read by Node: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const extra = sources.environment.NODE_EXTRA_CA_CERTS;
  if (extra !== undefined && extra !== '') {
    try {
      for (const certificate of splitPem(await readFile(extra, 'utf8'))) {
        found.add(certificate);
      }
    } catch (error) {
      sources.warn(`Could not read the certificates of NODE_EXTRA_CA_CERTS: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
    }
  }
  const builtIn = new Set(tls.rootCertificates.map(certificate => certificate.trim()));
  return [...found].filter(certificate => !builtIn.has(certificate));
}

/** Splits a PEM bundle into one string per certificate. Drops the text between them. */
export function splitPem(bundle: string): readonly string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
