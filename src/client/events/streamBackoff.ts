const baseWait = 500;
const maxWait = 30_000;
const windowLength = 20_000;
const windowAttempts = 8;
/** Minimum duration of a quiet connection or a failed attempt that resets the backoff, in milliseconds. */
const longLife = 30_000;

/**
 * Schedules reconnects of a stream: exponential with full jitter up to 30 s, at most 8 attempts in 20 s, never before the service's
 * `Retry-After`. A connection that delivered events, or an attempt that lasted long, resets the backoff. Times are in milliseconds.
 */
export class StreamBackoff {
  /** Number of attempts since the last good connection. */
  attempt = 0;
  private began: number[] = [];

  constructor(
    private readonly now: () => number,
    private readonly random: () => number,
  ) {}

  start(): void {
    this.attempt++;
    this.began = [...this.began, this.now()].slice(-windowAttempts);
  }

  /** Records that the latest attempt failed or its connection ended. */
  ended(hasNews: boolean): void {
    if (hasNews || this.now() - (this.began.at(-1) ?? 0) >= longLife) {
      this.attempt = 0;
    }
  }

  /** Returns the delay until the next attempt in milliseconds. */
  wait(atLeast = 0): number {
    const jitter = this.random() * Math.min(maxWait, baseWait * 2 ** Math.min(this.attempt, 16));
    const first = this.began.length < windowAttempts ? undefined : this.began[0];
    const free = first === undefined ? 0 : first + windowLength - this.now();
    return Math.ceil(Math.max(jitter, atLeast, free, 0));
  }
}
