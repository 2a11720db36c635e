// @ts-check

/** So many crashes within so many milliseconds are one crash that repeats. */
const most = 3;
const span = 60_000;

/**
 * Tells crashes of extension hosts that repeat from ends that are none: a window that is closed or reloaded ends its extension host
 * with code 0, or by the server's SIGTERM when nobody comes back to it. After a single crash VS Code starts another one.
 * @returns {(end: import('../host/extensionHosts.mjs').HostEnd, now?: number) => string | undefined} why everything ends, when it does
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
