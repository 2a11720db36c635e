/** How a call failed. The first group are answers of the service, the second ways the network fails, the third are ours. */
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
 * Whether the service can have acted on the request: `not_sent` (not one byte of it was written), `refused` (the service
 * answered that it did not act), `unknown` (bytes left and no verdict came back). A create is never repeated by itself
 * after `unknown`.
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
  /** The service's own words, control characters shown as escapes. */
  readonly serviceMessage?: string;
  readonly requestId?: string;
  /** Milliseconds the service asked us to wait. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Base of every failure of a call. `message` is one sentence for people: what failed, where, the service's own words. */
export class ServiceError extends Error implements ServiceErrorDetails {
  override readonly name: string = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly outcome: RequestOutcome;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly status?: number;
  readonly errorType?: string;
  readonly serviceMessage?: string;
  readonly requestId?: string;
  readonly retryAfter?: number;

  constructor(message: string, details: ServiceErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.outcome = details.outcome;
    this.method = details.method;
    this.host = details.host;
    this.path = details.path;
    this.status = details.status;
    this.errorType = details.errorType;
    this.serviceMessage = details.serviceMessage;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}
