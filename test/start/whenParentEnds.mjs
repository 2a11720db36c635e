// @ts-check

/** Interval at which the parent process is checked, in milliseconds. */
const betweenLooks = 500;

/**
 * Calls `act` once the process that started this one has ended: npm hands SIGTERM to the shell between them alone, which ends without a word.
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
