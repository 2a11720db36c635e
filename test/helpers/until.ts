/** Lets the event loop come round so many times: enough for whatever is ready in this process to go on. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Settles when something has become so; looks again with every turn of the event loop, or after so many milliseconds. */
export async function until(isSo: () => boolean, milliseconds?: number): Promise<void> {
  while (!isSo()) {
    await (milliseconds === undefined ? turns(1) : new Promise(resolve => setTimeout(resolve, milliseconds)));
  }
}
