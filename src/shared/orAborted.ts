/** Settles like `work`, or rejects with the signal's reason as soon as the signal aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return work;
  }
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  // A later rejection of `work` must not count as unhandled.
  work.catch(() => {});
  aborted.catch(() => {});
  if (signal.aborted) {
    stop();
  }
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
