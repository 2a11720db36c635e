/** Lets the event loop turn `count` times, enough for pending work in this process to continue. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Resolves once a condition is true. Checks it at every turn of the event loop, or at an interval. */
export async function until(isSo: () => boolean, milliseconds?: number): Promise<void> {
  while (!isSo()) {
    await (milliseconds === undefined ? turns(1) : new Promise(resolve => setTimeout(resolve, milliseconds)));
  }
}
