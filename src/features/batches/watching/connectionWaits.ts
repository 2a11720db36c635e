import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';

/** How long each connection is to be left alone: while its service is being asked, and longer after each failure. */
export class ConnectionWaits {
  private readonly failures = new Map<string, { readonly backOff: BackOff; readonly until: number }>();
  private readonly busy = new Set<string>();

  /** `patience`: milliseconds after which one that is still being asked is thought of again. */
  constructor(
    private readonly clock: Clock,
    private readonly patience: number,
  ) {}

  /** Milliseconds for which the connection is to be left alone; 0 or less when it need not be. */
  waitOf(name: string): number {
    const until = this.failures.get(name)?.until ?? Number.NEGATIVE_INFINITY;
    return this.busy.has(name) ? this.patience : until - this.clock.monotonic();
  }

  /** Does what asks the connection's service; while it does, the connection is left alone. Rejects as `work` does. */
  async during(name: string, work: () => Promise<void>): Promise<void> {
    this.busy.add(name);
    const before = this.failures.get(name);
    try {
      await work();
      // What failed meanwhile beside it counts on.
      if (this.failures.get(name) === before) {
        this.failures.delete(name);
      }
    } finally {
      this.busy.delete(name);
    }
  }

  /** Waits longer than after the failure before, or for as long as the service said. */
  failed(name: string, error: unknown): void {
    const backOff = this.failures.get(name)?.backOff ?? new BackOff(this.clock);
    this.failures.set(name, { backOff, until: this.clock.monotonic() + backOff.failed(error) });
  }

  /** Connections, keys or services may be others now. */
  forgetFailures(): void {
    this.failures.clear();
  }
}
