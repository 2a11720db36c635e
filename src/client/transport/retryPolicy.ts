import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from './errors';

/** Clock of the client, replaced by tests. */
export interface ClientClock {
  /** Returns the wall clock time in milliseconds since 1970. Used only for a `Retry-After` date in a response that has no `Date`. */
  now(): number;
  /** Resolves after `milliseconds`. Rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const clientClock: ClientClock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

const maxAttempts = 3;
const baseWait = 500;
/** Maximum requested delay that is honoured, in milliseconds. */
export const maxWait = 60_000;
const maxWaitInAll = 120_000;
const budgetSize = 10;
const budgetPerSuccess = 0.1;
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 529, 599]);

/**
 * Decides when a read is retried: at most 3 attempts, exponential backoff with full jitter, at most 60 s per wait and 120 s in total. Never
 * retries before the service's `Retry-After`. All calls of a client share one budget, so that retries can't double the load on a failing
 * service. The budget holds ten retries and grows by one with every ten successful calls.
 */
export class RetryPolicy {
  private budget = budgetSize;

  constructor(private readonly random: () => number) {}

  succeeded(): void {
    this.budget = Math.min(budgetSize, this.budget + budgetPerSuccess);
  }

  /** Returns the delay before attempt number `attempt + 1` in milliseconds, or `undefined` if the call is not retried. */
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
}

/** Returns whether a failure may be temporary: a broken connection, or a status for temporary failures. */
export function isTransient(error: ServiceError): boolean {
  return error.status === undefined ? error.kind === 'connection_lost' : retriedStatuses.has(error.status) && error.kind !== 'too_large';
}

/**
 * Returns the delay that a service asks for in milliseconds: `retry-after-ms`, or `Retry-After` as seconds or as an HTTP date. A date is
 * compared with the response's own `Date`, so that a wrong clock on this machine has no effect.
 */
export function readRetryAfter(headers: Readonly<Record<string, string | string[] | undefined>>, clock: ClientClock): number | undefined {
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
  // `Date.parse` accepts almost any text, but HTTP dates start with the name of a day.
  const until = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  const from = Date.parse(read('date') ?? '');
  const wait = until - (Number.isNaN(from) ? clock.now() : from);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
