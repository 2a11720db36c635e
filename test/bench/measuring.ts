import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Run {
  readonly ms: number;
  /** Processor time of all threads, in milliseconds: what the work costs, however busy the machine is. */
  readonly cpuMs: number;
  /** Longest time between two turns of a timer of 1 ms on the main thread, in milliseconds, as it was measured. */
  readonly loopMs: number;
  /** Longest time the main thread did not come round, in milliseconds: the same without the timer's own. */
  readonly stallMs: number;
  /** Highest resident memory above that before the work, in bytes. */
  readonly addedBytes: number;
}

/** Runs `work` once, watching the main thread and the memory of the whole process. */
export async function measureRun(work: () => unknown): Promise<Run> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  // A stall at the very end is seen only when the loop comes round once more.
  await new Promise(resolve => setTimeout(resolve, 2));
  delay.disable();
  clearInterval(look);
  peak = Math.max(peak, process.memoryUsage.rss());
  const loopMs = delay.max / 1e6;
  return { ms, cpuMs: (user + system) / 1000, loopMs, stallMs: Math.max(0, loopMs - 1), addedBytes: peak - before };
}
