// @ts-check

/** Milliseconds between two looks at the parent process. */
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
