import net from 'node:net';
import { isLoopback } from './baseUrl';

/**
 * Returns the proxy that the environment sets for a URL: `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY`, in upper or lower case, unless
 * `NO_PROXY` excludes the host. This machine itself is never reached through a proxy.
 */
export function environmentProxy(url: URL, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  if (isLoopback(url.hostname) || isExcluded(url, read('NO_PROXY') ?? '')) {
    return undefined;
  }
  return read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY');
}

/**
 * Returns whether a `NO_PROXY` list contains the host of a URL. Entries are `*`, `host`, `.suffix`, `*.suffix` or an address, each with an
 * optional port, or a range of addresses (`10.0.0.0/8`, `fd00::/8`). A range never contains a name.
 */
export function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const address = host.replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === '*' || isInRange(address, entry)) {
        return true;
      }
      const [, name = '', entryPort] = /^(?:\*?\.)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      return name !== '' && (entryPort === undefined || entryPort === port) && (host === name || host.endsWith(`.${name}`));
    });
}

/** Returns whether an address is in a range. A range without a prefix length is one address. */
function isInRange(address: string, range: string): boolean {
  const [, base = '', length] = /^\[?([0-9a-f.:]+)\]?(?:\/(\d{1,3}))?$/.exec(range) ?? [];
  const family = net.isIP(base);
  if (family === 0 || net.isIP(address) === 0) {
    return false;
  }
  const bits = length === undefined ? (family === 4 ? 32 : 128) : Number(length);
  if (bits > (family === 4 ? 32 : 128)) {
    return false;
  }
  const addresses = new net.BlockList();
  addresses.addSubnet(base, bits, family === 4 ? 'ipv4' : 'ipv6');
  return addresses.check(address, net.isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
