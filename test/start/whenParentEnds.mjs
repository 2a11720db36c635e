// @ts-check

/** Interval at which the parent process is checked, in milliseconds. */
const betweenLooks = 500;

/**
 * Calls `act` once the parent process has ended. npm forwards SIGTERM only to the shell that runs this process, and the shell doesn't
 * forward it.
 * @param {() => void} act
 */
export function whenParentEnds(act) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      act();
    }
  }, betweenLooks);
  timer.unref();
}
