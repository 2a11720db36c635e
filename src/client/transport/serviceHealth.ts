import { ServiceError, type ServiceErrorKind } from './errors';

/** State of a service according to its newest call: it responds, it refuses the key (401), or it can't be reached. */
export type ServiceHealth = 'answers' | 'keyRefused' | 'unreachable';

const unreached: ReadonlySet<ServiceErrorKind> = new Set([
  'dns',
  'connection_refused',
  'connect_timeout',
  'first_byte_timeout',
  'silence_timeout',
  'call_timeout',
  'connection_lost',
  'tls',
  'proxy',
]);

/** Returns whether the service was not reached or stopped responding. */
export function isUnreached(kind: ServiceErrorKind): boolean {
  return unreached.has(kind);
}

/** Returns the service state that a failed call shows, or `undefined` if it shows nothing, such as an aborted call. */
export function healthAfter(error: unknown): ServiceHealth | undefined {
  if (!(error instanceof ServiceError)) {
    return undefined;
  }
  if (isUnreached(error.kind)) {
    return 'unreachable';
  }
  if (error.kind === 'authentication') {
    return 'keyRefused';
  }
  return error.status === undefined ? undefined : 'answers';
}
