/** Kinds of failed calls. The first group are responses of the service, the second network failures, the third our own. */
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
 * States whether the service can have acted on the request. Not one byte was written if it is `not_sent`. The service responded that it did
 * not act if it is `refused`. Bytes were written and no verdict came back if it is `unknown`: a create is then never retried automatically.
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

/** Base of every failure of a call. `message` is one sentence for people: what failed, where, and the service's own message. */
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

/** The service does not accept the request (`invalid_request_error`, most other 4xx), or it can't be sent. */
export class InvalidRequestError extends ServiceError {
  override readonly name = 'InvalidRequestError';
}

/** The key is missing, wrong or expired (`authentication_error`, 401). */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** The account of the key can't pay (`billing_error`, 402). */
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

/** The state of the resource forbids it (409, 412). Never retried automatically. */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';
}

/** The body is larger than the service accepts (413). */
export class RequestTooLargeError extends ServiceError {
  override readonly name = 'RequestTooLargeError';
}

/** Too many requests (`rate_limit_error`, 429). `retryAfter` is set if the service sent a delay. */
export class RateLimitError extends ServiceError {
  override readonly name = 'RateLimitError';
}

/** The service itself timed out (`timeout_error`, 408, 504). */
export class ServiceTimeoutError extends ServiceError {
  override readonly name = 'ServiceTimeoutError';
}

/** Internal error of the service (`api_error`, most 5xx). */
export class ApiError extends ServiceError {
  override readonly name = 'ApiError';
}

/** The service is overloaded (`overloaded_error`, 529). */
export class OverloadedError extends ServiceError {
  override readonly name = 'OverloadedError';
}

/** A status that the contract does not define. */
export class OtherStatusError extends ServiceError {
  override readonly name = 'OtherStatusError';
}

/** The service responded with a redirect. Redirects are never followed: neither key nor body was sent there. */
export class RedirectError extends ServiceError {
  override readonly name = 'RedirectError';
}

/** The host name has no address. */
export class DnsError extends ServiceError {
  override readonly name = 'DnsError';
}

/** Nothing listens on that host and port. */
export class ConnectionRefusedError extends ServiceError {
  override readonly name = 'ConnectionRefusedError';
}

/** Connecting timed out. */
export class ConnectTimeoutError extends ServiceError {
  override readonly name = 'ConnectTimeoutError';
}

/** Connected, but no response began in time. */
export class FirstByteTimeoutError extends ServiceError {
  override readonly name = 'FirstByteTimeoutError';
}

/** The response began and then stopped arriving. */
export class SilenceTimeoutError extends ServiceError {
  override readonly name = 'SilenceTimeoutError';
}

/** The whole call, or an upload without progress, took too long. */
export class CallTimeoutError extends ServiceError {
  override readonly name = 'CallTimeoutError';
}

/** The connection broke before the response was complete. */
export class ConnectionLostError extends ServiceError {
  override readonly name = 'ConnectionLostError';
}

/** No trusted TLS connection could be established. */
export class TlsError extends ServiceError {
  override readonly name = 'TlsError';
}

/** The proxy refused the connection. */
export class ProxyError extends ServiceError {
  override readonly name = 'ProxyError';
}

/** The response is not JSON. It usually comes from a proxy, a sign-in page or another program. */
export class NotJsonError extends ServiceError {
  override readonly name = 'NotJsonError';
}

/** The response is JSON of a shape that the contract doesn't define. */
export class MismatchError extends ServiceError {
  override readonly name = 'MismatchError';
}

/** The response is larger or deeper than this client accepts. */
export class ResponseTooLargeError extends ServiceError {
  override readonly name = 'ResponseTooLargeError';
}

/** The service reported an error inside an event stream. */
export class StreamError extends ServiceError {
  override readonly name = 'StreamError';
}

/** The connection has no key, or one that can't be sent. */
export class NoCredentialError extends ServiceError {
  override readonly name = 'NoCredentialError';
}

/** The key belongs to another origin and was not sent. */
export class ForeignOriginError extends ServiceError {
  override readonly name = 'ForeignOriginError';
}

/** Plain http to another machine was refused. */
export class InsecureHttpError extends ServiceError {
  override readonly name = 'InsecureHttpError';
}

/** The caller cancelled the call. */
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
  too_large: ResponseTooLargeError,
  stream_error: StreamError,
  no_credential: NoCredentialError,
  foreign_origin: ForeignOriginError,
  insecure_http: InsecureHttpError,
  aborted: AbortedError,
};

/** Creates the error of the class for `details.kind`. */
export function createServiceError(message: string, details: ServiceErrorDetails): ServiceError {
  return new classes[details.kind](message, details);
}
