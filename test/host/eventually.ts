/** Milliseconds between two looks. */
const interval = 20;

/** Milliseconds after which what is waited for hangs: an end, never a measure of the machine. */
const patience = 120_000;

/**
 * Looks until there is something: settles with what `look` gives once that is neither undefined nor false and it does not throw.
 * VS Code says of few things that they are done, and asked too early it answers with what was before. Where it never comes, the
 * last failure is what this rejects with.
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

/** Settles as soon as an assertion holds; rejects with its last failure where it never does. */
export async function eventuallyHolds(assertion: () => void | PromiseLike<void>): Promise<void> {
  await eventually(async () => {
    await assertion();
    return true;
  });
}
