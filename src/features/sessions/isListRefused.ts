import { isNotServed } from '../../client/dialect';
import { ServiceError } from '../../client/transport/errors';

/** Refusals that can pass: a key that is replaced, a bill that is paid, a time-out, a conflict, a request too early, a rate limit. */
const passing: ReadonlySet<number> = new Set([401, 402, 408, 409, 425, 429]);

/** Returns whether a service refused a list for good: it doesn't have the list, or the key may not read it. */
export function isListRefused(error: unknown): boolean {
  if (!(error instanceof ServiceError)) {
    return false;
  }
  const { kind, status = 0 } = error;
  return !passing.has(status) && ((status >= 400 && status < 500) || isNotServed(status) || kind === 'invalid_request');
}
