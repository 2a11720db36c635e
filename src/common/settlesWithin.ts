/** Returns whether a promise settles within a number of milliseconds and before `signal` aborts. */
export async function settlesWithin(work: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  let stop = () => {};
  const given = new Promise<false>(resolve => {
    const end = () => resolve(false);
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    if (signal?.aborted) {
      end();
    }
  });
  try {
    return await Promise.race([work.then(() => true as const), given]);
  } finally {
    stop();
  }
}
