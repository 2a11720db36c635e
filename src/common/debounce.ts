import type { Disposable } from 'vscode';

/** Delays work by key. New work for a key replaces the pending work of that key. */
export class Debounce implements Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** Runs `work` after `delay` milliseconds. */
  run(key: string, delay: number, work: () => void): void {
    this.cancel(key);
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        work();
      }, delay),
    );
  }

  cancel(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }

  dispose(): void {
    for (const key of [...this.timers.keys()]) {
      this.cancel(key);
    }
  }
}
