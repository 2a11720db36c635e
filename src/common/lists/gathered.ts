import type { Disposable } from 'vscode';

/** How long what comes first waits for what comes with it, in milliseconds. */
const gatherMs = 50;

/** Answers news that can come by the thousand with one run of `act`, a moment after the first of them. */
export class Gathered implements Disposable {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly act: () => void) {}

  /** Has `act` run soon, once however often this is called until then. */
  ask(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.act();
    }, gatherMs).unref();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
