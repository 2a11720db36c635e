import { ServiceError, type ServiceErrorKind } from '../../client/transport/errors';

/** Refusals that can pass: a key is replaced, a bill paid, a conflict resolved, or the service has time. */
const passing: ReadonlySet<ServiceErrorKind> = new Set(['authentication', 'billing', 'timeout', 'conflict', 'rate_limit', 'overloaded']);
/** Statuses of the same sort without a kind of their own: a proxy wants a password, a resource is locked, a request came too early. */
const passingStatuses: ReadonlySet<number> = new Set([407, 423, 425]);

/** Returns whether a service refused a read for good: it doesn't have the resource, or the key may not read it. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof ServiceError)) {
    return false;
  }
  const { kind, status = 0 } = error;
  const canPass = passing.has(kind) || passingStatuses.has(status);
  return !canPass && (kind === 'invalid_request' || status === 501 || (status >= 400 && status < 500));
}
