import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Run {
  readonly ms: number;
  /** Processor time of all threads in milliseconds, regardless of the machine's load. */
  readonly cpuMs: number;
  /** Longest measured time between two ticks of a 1 ms timer on the main thread, in milliseconds. */
  readonly loopMs: number;
  /** Longest time that the main thread was blocked, in milliseconds: `loopMs` without the timer's own interval. */
  readonly stallMs: number;
  /** Increase of the peak resident memory over the memory before the work, in bytes. */
  readonly addedBytes: number;
}

/** Runs `work` once and measures the main thread and the memory of the whole process. */
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
  // A stall at the very end is only measured at the next tick.
  await new Promise(resolve => setTimeout(resolve, 2));
  delay.disable();
  clearInterval(look);
  peak = Math.max(peak, process.memoryUsage.rss());
  const loopMs = delay.max / 1e6;
  return { ms, cpuMs: (user + system) / 1000, loopMs, stallMs: Math.max(0, loopMs - 1), addedBytes: peak - before };
}
