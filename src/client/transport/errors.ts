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

/** The request is not one the service takes (`invalid_request_error`, most other 4xx), or not one that can be sent. */
export class InvalidRequestError extends ServiceError {
  override readonly name = 'InvalidRequestError';
}

/** The key is missing, wrong or expired (`authentication_error`, 401). */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** The account behind the key cannot pay (`billing_error`, 402). */
export class BillingError extends ServiceError {
  override readonly name = 'BillingError';
}

/** The key may not do this (`permission_error`, 403). */
export class PermissionError extends ServiceError {
  override readonly name = 'PermissionError';
}

/** There is nothing under this path (`not_found_error`, 404). */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
}

/** The state of the resource forbids it (409, 412); never repeated by itself. */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';
}

/** The body is larger than the service takes (413). */
export class RequestTooLargeError extends ServiceError {
  override readonly name = 'RequestTooLargeError';
}

/** Too many requests (`rate_limit_error`, 429); `retryAfter` says when, if the service did. */
export class RateLimitError extends ServiceError {
  override readonly name = 'RateLimitError';
}

/** The service itself gave up waiting (`timeout_error`, 408, 504). */
export class ServiceTimeoutError extends ServiceError {
  override readonly name = 'ServiceTimeoutError';
}

/** The service failed inside (`api_error`, most 5xx). */
export class ApiError extends ServiceError {
  override readonly name = 'ApiError';
}

/** The service has no room at the moment (`overloaded_error`, 529). */
export class OverloadedError extends ServiceError {
  override readonly name = 'OverloadedError';
}

/** A status the contract does not name. */
export class OtherStatusError extends ServiceError {
  override readonly name = 'OtherStatusError';
}

/** The service pointed elsewhere. Redirects are never followed: neither key nor body went there. */
export class RedirectError extends ServiceError {
  override readonly name = 'RedirectError';
}

/** The host name has no address. */
export class DnsError extends ServiceError {
  override readonly name = 'DnsError';
}

/** Nothing listens at that host and port. */
export class ConnectionRefusedError extends ServiceError {
  override readonly name = 'ConnectionRefusedError';
}

/** No connection came about in time. */
export class ConnectTimeoutError extends ServiceError {
  override readonly name = 'ConnectTimeoutError';
}

/** The connection stands and no answer began in time. */
export class FirstByteTimeoutError extends ServiceError {
  override readonly name = 'FirstByteTimeoutError';
}

/** The answer began and then went silent. */
export class SilenceTimeoutError extends ServiceError {
  override readonly name = 'SilenceTimeoutError';
}

/** The whole call, or an upload that stopped moving, took too long. */
export class CallTimeoutError extends ServiceError {
  override readonly name = 'CallTimeoutError';
}

/** The connection broke before the answer was whole. */
export class ConnectionLostError extends ServiceError {
  override readonly name = 'ConnectionLostError';
}

/** No trusted TLS connection came about. */
export class TlsError extends ServiceError {
  override readonly name = 'TlsError';
}

/** The proxy did not let the connection through. */
export class ProxyError extends ServiceError {
  override readonly name = 'ProxyError';
}

/** The answer is not JSON: usually a proxy, a sign-in page or another program. */
export class NotJsonError extends ServiceError {
  override readonly name = 'NotJsonError';
}

/** The answer is JSON of another shape than the contract gives. */
export class MismatchError extends ServiceError {
  override readonly name = 'MismatchError';
}

/** The answer is larger or deeper than this client takes. */
export class AnswerTooLargeError extends ServiceError {
  override readonly name = 'AnswerTooLargeError';
}

/** The service reported an error inside a stream of events. */
export class StreamError extends ServiceError {
  override readonly name = 'StreamError';
}

/** There is no key for this connection, or one that cannot be sent. */
export class NoCredentialError extends ServiceError {
  override readonly name = 'NoCredentialError';
}

/** The key belongs to another origin and was not sent. */
export class ForeignOriginError extends ServiceError {
  override readonly name = 'ForeignOriginError';
}

/** Plain http to a host that is not this machine was refused. */
export class InsecureHttpError extends ServiceError {
  override readonly name = 'InsecureHttpError';
}

/** The caller turned back. */
export class AbortedError extends ServiceError {
  override readonly name = 'AbortedError';
}

type ServiceErrorClass = new (message: string, details: ServiceErrorDetails) => ServiceError;

const classes: Readonly<Record<ServiceErrorKind, ServiceErrorClass>> = {
  invalid_request: InvalidRequestError,
  authentication: AuthenticationError,
  billing: BillingError,
  permission: PermissionError,
  not_found: NotFoundError,
  conflict: ConflictError,
  request_too_large: RequestTooLargeError,
  rate_limit: RateLimitError,
  timeout: ServiceTimeoutError,
  api: ApiError,
  overloaded: OverloadedError,
  other_status: OtherStatusError,
  redirect: RedirectError,
  dns: DnsError,
  connection_refused: ConnectionRefusedError,
  connect_timeout: ConnectTimeoutError,
  first_byte_timeout: FirstByteTimeoutError,
  silence_timeout: SilenceTimeoutError,
  call_timeout: CallTimeoutError,
  connection_lost: ConnectionLostError,
  tls: TlsError,
  proxy: ProxyError,
  not_json: NotJsonError,
  mismatch: MismatchError,
  too_large: AnswerTooLargeError,
  stream_error: StreamError,
  no_credential: NoCredentialError,
  foreign_origin: ForeignOriginError,
  insecure_http: InsecureHttpError,
  aborted: AbortedError,
};

/** An error of the class that belongs to `details.kind`. */
export function createServiceError(message: string, details: ServiceErrorDetails): ServiceError {
  return new classes[details.kind](message, details);
}
