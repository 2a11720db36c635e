import type { NetworkOptions } from '../../../client/clientOptions';
import { environmentProxy, isExcluded } from '../../../client/transport/environmentProxy';
import { isLoopback } from '../../../client/transport/parsedBaseUrl';

/** Where VS Code and the environment say that connections go, as read; see `toNetworkOptions`. */
export interface NetworkSources {
  /** Settings of the user or the machine; a workspace's never count. */
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
 * The client's network options: `http.proxy` before the environment's proxy variables, `http.noProxy` before `NO_PROXY`, no
 * proxy at all when `http.proxySupport` is `off`, and never one to this machine.
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
