import { ServiceError, type ServiceErrorKind } from './errors';

/** How a service stands, as the newest call to it shows: it answers, it refuses the key (401), or nothing of it is reached. */
export type ServiceStanding = 'answers' | 'keyRefused' | 'unreachable';

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

/** Whether nothing of the service was reached, or it fell silent. */
export function isUnreached(kind: ServiceErrorKind): boolean {
  return unreached.has(kind);
}

/** What a failed call shows of the service; undefined when it shows nothing, as one that was aborted. */
export function standingAfter(error: unknown): ServiceStanding | undefined {
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
