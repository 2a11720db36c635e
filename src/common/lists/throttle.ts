import type { Disposable } from 'vscode';

/** Delay between the first event and the run, in milliseconds. Events during the delay share one run. */
const gatherMs = 50;

/** Runs `act` once, shortly after the first of many events. */
export class Throttle implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private ranAt = Number.NEGATIVE_INFINITY;

  /** `pause` is the minimum time between two runs, in milliseconds. */
  constructor(
    private readonly act: () => void,
    private readonly pause = 0,
  ) {}

  ask(pause = this.pause): void {
    const delay = Math.max(gatherMs, this.ranAt + pause - performance.now());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.ranAt = performance.now();
      this.act();
    }, delay).unref();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
