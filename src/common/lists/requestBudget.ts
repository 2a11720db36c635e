import type { Clock } from '../clock';

/** Rate limit for background requests. Saves up to `burst` of them, so a minute has at most `perMinute + burst`. */
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

  /** Number of requests that may be sent now. */
  get left(): number {
    const now = this.clock.monotonic();
    this.saved = Math.min(this.burst, this.saved + ((now - this.at) * this.perMinute) / 60_000);
    this.at = now;
    return Math.max(0, Math.floor(this.saved));
  }

  /** Counts sent requests. Requests for the user are always sent, but are also counted. */
  spend(requests: number): void {
    this.saved = Math.max(-this.perMinute, this.saved - requests);
  }

  /** Returns the delay in milliseconds until this number of requests may be sent. 0 if the requests may be sent now. */
  waitFor(requests: number): number {
    const missing = Math.min(requests, this.burst) - this.left;
    return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / this.perMinute);
  }
}
