/**
 * Kinds of failed calls. The first group contains responses of the service, the second network failures, the third the client's own errors.
 */
export type ServiceErrorKind =
  | 'invalid_request'
  | 'authentication'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'request_too_large'
  | 'rate_limit'
  | 'timeout'
  | 'api'
  | 'overloaded'
  | 'other_status'
  | 'redirect'
  | 'dns'
  | 'connection_refused'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'silence_timeout'
  | 'call_timeout'
  | 'connection_lost'
  | 'tls'
  | 'proxy'
  | 'not_json'
  | 'mismatch'
  | 'too_large'
  | 'stream_error'
  | 'no_credential'
  | 'foreign_origin'
  | 'insecure_http'
  | 'aborted';

/**
 * Effect of a failed request. `not_sent`: no byte was written. `refused`: the service responded that it did not act. `unknown`: bytes were
 * written, and the service may have acted. A create with an unknown outcome is never retried automatically.
 */
export type RequestOutcome = 'not_sent' | 'refused' | 'unknown';

export interface ServiceErrorDetails {
  readonly kind: ServiceErrorKind;
  readonly outcome: RequestOutcome;
  readonly method: string;
  /** Host and port of the service, for messages. */
  readonly host: string;
  readonly path: string;
  readonly status?: number;
  /** `error.type` as the service wrote it, known or not. */
  readonly errorType?: string;
  /** Message of the service, with control characters escaped. */
  readonly serviceMessage?: string;
  readonly requestId?: string;
  /** Requested delay before the next attempt, in milliseconds. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Failure of a call. `message` is one sentence for people, with the failure, the host and the service's own message. */
export class ServiceError extends Error implements ServiceErrorDetails {
  override readonly name = 'ServiceError';
  declare readonly kind: ServiceErrorKind;
  declare readonly outcome: RequestOutcome;
  declare readonly method: string;
  declare readonly host: string;
  declare readonly path: string;
  declare readonly status?: number;
  declare readonly errorType?: string;
  declare readonly serviceMessage?: string;
  declare readonly requestId?: string;
  declare readonly retryAfter?: number;

  constructor(message: string, { cause, ...details }: ServiceErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, details);
  }
}

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

export function isUnreached(kind: ServiceErrorKind): boolean {
  return unreached.has(kind);
}

/**
 * Returns the service state that a failed call shows, or `undefined` if the error says nothing about the service, such as an aborted call.
 */
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
