const baseWait = 500;
const maxWait = 30_000;
const windowLength = 20_000;
const windowAttempts = 8;
/** A quiet connection that stood this long was a good one, and an attempt that lasted as long was a pause in itself. */
const longLife = 30_000;

/**
 * When to connect to a stream again: exponential with full jitter up to 30 s, at most 8 attempts in 20 s whatever chance says,
 * never before the service's `Retry-After`. A connection that brought something new, or an attempt that stood for long, begins anew.
 * Times are milliseconds.
 */
export class StreamBackoff {
  /** Attempts since the last good connection. */
  attempt = 0;
  private began: number[] = [];

  constructor(
    private readonly now: () => number,
    private readonly random: () => number,
  ) {}

  /** An attempt begins. */
  begin(): void {
    this.attempt++;
    this.began = [...this.began, this.now()].slice(-windowAttempts);
  }

  /** The latest attempt failed, or the connection that it made ended. */
  ended(hasNews: boolean): void {
    if (hasNews || this.now() - (this.began.at(-1) ?? 0) >= longLife) {
      this.attempt = 0;
    }
  }

  /** Milliseconds until the next attempt. */
  wait(atLeast = 0): number {
    const jitter = this.random() * Math.min(maxWait, baseWait * 2 ** Math.min(this.attempt, 16));
    const first = this.began.length < windowAttempts ? undefined : this.began[0];
    const free = first === undefined ? 0 : first + windowLength - this.now();
    return Math.ceil(Math.max(jitter, atLeast, free, 0));
  }
}
