// @ts-check

/**
 * Calls `clean` when this process ends, by itself or by a signal. Returns a function that undoes this. `clean` must be synchronous.
 * @param {() => void} clean
 */
export function onExit(clean) {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    if (process.listenerCount(signal) === 0) {
      // Without a listener, a signal ends the process before the cleanup.
      process.on(signal, () => process.exit(code));
    }
  }
  process.on('exit', clean);
  return () => {
    process.off('exit', clean);
  };
}
