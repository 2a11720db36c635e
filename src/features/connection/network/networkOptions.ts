import type { NetworkOptions } from '../../../client/clientOptions';
import { isLoopback } from '../../../client/transport/baseUrl';
import { environmentProxy, isExcluded } from '../../../client/transport/environmentProxy';

/** Network settings of VS Code and the environment (see `toNetworkOptions`). */
export interface NetworkSources {
  /** Settings of the user or the machine, never of a workspace. */
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
