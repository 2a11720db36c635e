import { ServiceError } from '../../client/transport/errors';
import type { Clock } from '../clock';

/** Delays of a poller after failures. Each delay is twice the last one, at most five minutes, and at least the service's `Retry-After`. */
export class BackOff {
  private failures = 0;
  private notBefore = Number.NEGATIVE_INFINITY;

  /** `quickest` is the base delay in milliseconds. The first failure waits twice as long. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly quickest = 2_000,
  ) {}

  /** Time until the service's `Retry-After` has passed, in milliseconds. 0 or less if that time has passed. */
  get wait(): number {
    return this.notBefore - this.clock.monotonic();
  }

  /** Records a failure and returns the delay before the next attempt in milliseconds. */
  failed(error: unknown): number {
    this.failures++;
    const wanted = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
    this.notBefore = this.clock.monotonic() + wanted;
    return Math.max(wanted, Math.min(this.quickest * 2 ** this.failures, longest));
  }

  succeeded(): void {
    this.failures = 0;
  }

  /** Ignores the last `Retry-After`, because the user asked for a refresh. */
  forgetWait(): void {
    this.notBefore = Number.NEGATIVE_INFINITY;
  }
}

const longest = 300_000;
