import type { Clock } from '../clock';

/**
 * How many requests a minute are sent that nobody asked for. What was saved up is at most `burst`, so that no minute has more than both together;
 * without one a minute's.
 */
export class RequestBudget {
  private saved: number;
  private at: number;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly perMinute: number,
    private readonly burst = perMinute,
  ) {
    this.saved = burst;
    this.at = clock.monotonic();
  }

  /** Requests that may be sent now. */
  get left(): number {
    const now = this.clock.monotonic();
    this.saved = Math.min(this.burst, this.saved + ((now - this.at) * this.perMinute) / 60_000);
    this.at = now;
    return Math.max(0, Math.floor(this.saved));
  }

  /** Notes requests. Those that a person asked for are sent whatever is left, and count. */
  spend(requests: number): void {
    this.saved = Math.max(-this.perMinute, this.saved - requests);
  }

  /** Milliseconds until so many may be sent; 0 for now. */
  waitFor(requests: number): number {
    const missing = Math.min(requests, this.burst) - this.left;
    return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / this.perMinute);
  }
}
