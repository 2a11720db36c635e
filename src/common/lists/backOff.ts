import { ServiceError } from '../../client/transport/errors';
import type { Clock } from '../clock';

/** Waits of a poller after failures: twice as long each time, at most five minutes, and never shorter than the service wants. */
export class BackOff {
  private failures = 0;
  private notBefore = Number.NEGATIVE_INFINITY;

  /** `quickest` is the wait, in milliseconds, that the first failure doubles. */
  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly quickest = 2_000,
  ) {}

  /** Milliseconds that the service still wants to be left alone; 0 or less when it may be asked. */
  get wait(): number {
    return this.notBefore - this.clock.monotonic();
  }

  /** Notes a failure; answers the milliseconds to wait. */
  failed(error: unknown): number {
    this.failures++;
    const wanted = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
    this.notBefore = this.clock.monotonic() + wanted;
    return Math.max(wanted, Math.min(this.quickest * 2 ** this.failures, longest));
  }

  succeeded(): void {
    this.failures = 0;
  }

  /** Lets the next look go ahead at once, because the user asked for it. */
  forgetWait(): void {
    this.notBefore = Number.NEGATIVE_INFINITY;
  }
}

const longest = 300_000;
