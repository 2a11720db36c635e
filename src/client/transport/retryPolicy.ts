import { ServiceError } from './errors';

/** Time as the client sees it; tests drive it. */
export interface Clock {
  /** Milliseconds since 1970 by the wall clock; only for a `Retry-After` date in an answer that has no `Date`. */
  now(): number;
  /** Settles after `milliseconds`, or rejects with the signal's reason. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      if (signal?.aborted) {
        onAbort();
      } else {
        signal?.addEventListener('abort', onAbort, { once: true });
      }
    }),
};

const maxAttempts = 3;
const baseWait = 500;
/** A wait that a service asks for is heeded up to here, in milliseconds. */
export const maxWait = 60_000;
const maxWaitInAll = 120_000;
const budgetSize = 10;
const budgetPerSuccess = 0.1;
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 529, 599]);

/**
 * When a read is tried again: at most 3 attempts, exponential with full jitter, never before the service's `Retry-After`, at
 * most 60 s a wait and 120 s in all. One budget for all calls of a client keeps a failing service from being asked twice as
 * often: it holds ten retries and grows by one with ten calls that succeed.
 */
export class RetryPolicy {
  private budget = budgetSize;

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  succeeded(): void {
    this.budget = Math.min(budgetSize, this.budget + budgetPerSuccess);
  }

  /** Milliseconds to wait before attempt number `attempt + 1`, or undefined when `error` is the last word. */
  waitAfter(error: unknown, attempt: number, waited: number): number | undefined {
    if (!(error instanceof ServiceError) || !isTransient(error) || attempt >= maxAttempts || this.budget < 1) {
      return undefined;
    }
    const jitter = this.random() * baseWait * 2 ** (attempt - 1);
    const wait = Math.max(jitter, error.retryAfter ?? 0);
    if (wait > maxWait || waited + wait > maxWaitInAll) {
      return undefined;
    }
    this.budget -= 1;
    return wait;
  }

  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.clock.sleep(milliseconds, signal);
  }
}

/** Whether what failed may pass by itself: a connection that broke, or a status that says so. */
export function isTransient(error: ServiceError): boolean {
  return error.status === undefined ? error.kind === 'connection_lost' : retriedStatuses.has(error.status) && error.kind !== 'too_large';
}

/**
 * Milliseconds a service asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as an HTTP date. A date is read against
 * the answer's own `Date`, so that a wrong clock here changes nothing.
 */
export function readRetryAfter(headers: Readonly<Record<string, string | string[] | undefined>>, clock: Clock): number | undefined {
  const read = (name: string) => {
    const value = headers[name];
    return (Array.isArray(value) ? value[0] : value)?.trim();
  };
  const milliseconds = Number(read('retry-after-ms') || Number.NaN);
  if (milliseconds >= 0) {
    return Math.ceil(milliseconds);
  }
  const text = read('retry-after');
  if (text === undefined || text === '') {
    return undefined;
  }
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Math.ceil(Number(text) * 1000);
  }
  // Engines take almost any text for a date; those of HTTP begin with the name of a day.
  const until = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  const from = Date.parse(read('date') ?? '');
  const wait = until - (Number.isNaN(from) ? clock.now() : from);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
