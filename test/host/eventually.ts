/** Interval between two attempts, in milliseconds. */
const interval = 20;

/** Maximum wait, in milliseconds. Only detects hangs, so it is long enough for any machine. */
const patience = 120_000;

/**
 * Calls `look` until it returns a value other than `undefined` and false without throwing. Resolves with that value. Needed because VS Code
 * rarely reports the end of an operation. After the maximum wait, rejects with the last failure.
 */
export async function eventually<T>(look: () => T | PromiseLike<T>): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + patience;
  for (;;) {
    let failure: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) {
        return found as Exclude<T, undefined | false>;
      }
      failure = new Error(`It never came: ${look}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() > end) {
      throw failure;
    }
    await new Promise(resolve => setTimeout(resolve, interval));
  }
}

/** Resolves as soon as an assertion holds. After the maximum wait, rejects with its last failure. */
export async function eventuallyHolds(assertion: () => void | PromiseLike<void>): Promise<void> {
  await eventually(async () => {
    await assertion();
    return true;
  });
}
