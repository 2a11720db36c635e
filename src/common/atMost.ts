/** Runs `work` for every item in order, at most `count` at once. Stops early when `signal` aborts. Rejects with the first failure. */
export async function atMost<T>(count: number, items: readonly T[], signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (signal.aborted) {
        return;
      }
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, worker));
}
