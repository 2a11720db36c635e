import { isLoopback } from './baseUrl';

/**
 * The proxy that the environment names for a URL: `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY`, in either case of letters,
 * unless `NO_PROXY` excludes the host. This machine itself is never reached through a proxy.
 */
export function environmentProxy(url: URL, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  if (isLoopback(url.hostname) || isExcluded(url, read('NO_PROXY') ?? '')) {
    return undefined;
  }
  return read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY');
}

/** Whether a `NO_PROXY` list (`*`, `host`, `.suffix`, `*.suffix`, each with an optional port) names the host of a URL. */
export function isExcluded(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === '*') {
        return true;
      }
      const [, name = '', entryPort] = /^(?:\*?\.)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      return name !== '' && (entryPort === undefined || entryPort === port) && (host === name || host.endsWith(`.${name}`));
    });
}
