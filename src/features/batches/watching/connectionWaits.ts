import type { Clock } from '../../../common/clock';
import { BackOff } from '../../../common/lists/backOff';

/** Delays per connection: while its service is being polled, and back-off after failures. */
export class ConnectionWaits {
  private readonly failures = new Map<string, { readonly backOff: BackOff; readonly until: number }>();
  private readonly busy = new Set<string>();

  /** `patience` is the delay in milliseconds while a poll is running. */
  constructor(
    private readonly clock: Clock,
    private readonly patience: number,
  ) {}

  /** Returns the milliseconds until the connection may be polled; 0 or less for now. */
  waitOf(name: string): number {
    const until = this.failures.get(name)?.until ?? Number.NEGATIVE_INFINITY;
    return this.busy.has(name) ? this.patience : until - this.clock.monotonic();
  }

  /** Runs `work`, and delays other polls of the connection meanwhile. Rejects as `work` does. */
  async during(name: string, work: () => Promise<void>): Promise<void> {
    this.busy.add(name);
    const before = this.failures.get(name);
    try {
      await work();
      // A failure during `work` still counts.
      if (this.failures.get(name) === before) {
        this.failures.delete(name);
      }
    } finally {
      this.busy.delete(name);
    }
  }

  /** Backs off further, at least for the service's `Retry-After`. */
  failed(name: string, error: unknown): void {
    const backOff = this.failures.get(name)?.backOff ?? new BackOff(this.clock);
    this.failures.set(name, { backOff, until: this.clock.monotonic() + backOff.failed(error) });
  }

  /** Forgets failures: connections, keys or services may have changed. */
  forgetFailures(): void {
    this.failures.clear();
  }
}
