/** Does `work` for every item, at most `count` at once, in order. Ends early when `signal` aborts; rejects with the first failure. */
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
