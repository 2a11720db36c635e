// @ts-check

/** Number of crashes within `span` milliseconds that counts as repeated. */
const most = 3;
const span = 60_000;

/**
 * Detects repeated crashes of extension hosts. A closed or reloaded window is not a crash. Its extension host ends with code 0, or with
 * SIGTERM if no window reconnects. After a single crash, VS Code starts another host.
 * @returns {(end: import('../host/extensionHosts.mjs').HostEnd, now?: number) => string | undefined} handles the end of a host, and returns
 * the reason to stop everything, if any
 */
export function watchCrashes() {
  /** @type {number[]} */
  let crashes = [];
  return ({ code, signal }, now = performance.now()) => {
    if (code === '0' || signal === 'SIGTERM') {
      return undefined;
    }
    crashes = [...crashes.filter(time => now - time < span), now];
    const last = signal === 'null' ? `code ${code}` : signal;
    return crashes.length < most ? undefined : `The extension host crashed ${most} times within a minute, the last time with ${last}`;
  };
}
