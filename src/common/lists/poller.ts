/** Timers, replaced in tests. Delays are milliseconds. */
export interface Timers {
  set(callback: () => void, delay: number): unknown;
  clear(handle: unknown): void;
}

/** Real timers that never keep the process alive. */
export const realTimers: Timers = {
  set: (callback, delay) => setTimeout(callback, Math.min(delay, longestDelay)).unref(),
  clear: handle => clearTimeout(handle as NodeJS.Timeout),
};

// Maximum delay of a timer, in milliseconds. A longer delay overflows and fires at once.
const longestDelay = 2 ** 31 - 1;

/**
 * Runs `work` repeatedly, one run at a time. `work` returns the delay before the next run in milliseconds, or `undefined` to wait for
 * `trigger`. `work` must handle its own errors and never reject.
 */
export class Poller {
  private running: Promise<void> | undefined;
  private again = false;
  private timer: unknown;
  private readonly controller = new AbortController();

  constructor(
    private readonly work: (signal: AbortSignal) => Promise<number | undefined>,
    private readonly timers: Timers = realTimers,
  ) {}

  /** Starts a run immediately. During a run, any number of calls add one more run. Settles after the added run. */
  trigger(): Promise<void> {
    if (this.controller.signal.aborted) {
      return Promise.resolve();
    }
    this.clearTimer();
    if (this.running !== undefined) {
      this.again = true;
      return this.running;
    }
    this.running = this.run();
    return this.running;
  }

  private async run(): Promise<void> {
    let delay: number | undefined;
    try {
      do {
        this.again = false;
        delay = await this.work(this.controller.signal);
      } while (this.again && !this.controller.signal.aborted);
    } finally {
      // Cleared first, because a trigger from now on must start a new run.
      this.running = undefined;
    }
    if (delay !== undefined && !this.controller.signal.aborted) {
      this.timer = this.timers.set(() => void this.trigger(), delay);
    }
  }

  /** Aborts the current run and prevents further runs. */
  dispose(): void {
    this.controller.abort();
    this.clearTimer();
  }

  private clearTimer(): void {
    if (this.timer !== undefined) {
      this.timers.clear(this.timer);
      this.timer = undefined;
    }
  }
}
