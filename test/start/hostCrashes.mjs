// @ts-check

/** A crash repeats if there are this many within this many milliseconds. */
const most = 3;
const span = 60_000;

/**
 * Detects repeated crashes of extension hosts. Closing or reloading a window is no crash: its extension host ends with code 0, or by the
 * server's SIGTERM if no window reconnects. After a single crash, VS Code starts another host.
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
