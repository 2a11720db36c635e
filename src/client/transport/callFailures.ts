import type { IncomingHttpHeaders } from 'node:http';
import { concealed } from '../../shared/redaction';
import type { Timeouts } from '../clientOptions';
import { ConnectFailure } from './connector';
import { errorKind, errorOutcome, readErrorBody } from './errorResponse';
import { type RequestOutcome, ServiceError, type ServiceErrorDetails, type ServiceErrorKind } from './errors';
import { ExchangeFailure, type ExchangeReason } from './exchange';
import { safeWords } from './safeWords';

/** Facts about a call for its errors. `key` and `secrets` are only used to remove them from error texts. */
interface CallContext {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly key: string | undefined;
  /** Secrets in the body, which also must not appear in errors. */
  readonly secrets?: readonly string[] | undefined;
  readonly requestId?: string;
  /** True if the call creates something (see `errorOutcome`). */
  readonly creates?: boolean;
}

type Extras = Pick<ServiceErrorDetails, 'errorType' | 'serviceMessage' | 'requestId' | 'status' | 'retryAfter' | 'cause'> & {
  readonly origin?: string;
};

/** Creates the errors of one call. Their messages are one sentence, and no part of them contains the key or a secret of the body. */
export class CallFailures {
  constructor(
    private readonly context: CallContext,
    private readonly timeouts: Timeouts,
    /** Aborted when the client is closed. A connection that breaks after that was closed by the client. */
    private readonly closed?: AbortSignal,
  ) {}

  /** Creates an error. `message` describes the failure, the most important part first. `origin` and the request id are appended. */
  error(kind: ServiceErrorKind, outcome: RequestOutcome, message: string, extras: Extras = {}): ServiceError {
    const { method, host, path } = this.context;
    const requestId = extras.requestId ?? this.context.requestId;
    const suffix = [extras.origin, requestId && `request-id ${requestId}`].filter(Boolean).join(', ');
    return new ServiceError(this.conceal(suffix === '' ? message : `${message} (${suffix})`), {
      kind,
      outcome,
      method,
      host,
      path: this.conceal(path),
      status: extras.status,
      requestId: requestId && this.conceal(requestId),
      errorType: extras.errorType && this.conceal(extras.errorType),
      serviceMessage: extras.serviceMessage && this.conceal(extras.serviceMessage),
      retryAfter: extras.retryAfter,
      cause: extras.cause === undefined ? undefined : this.plainCause(extras.cause),
    });
  }

  /** Creates the error of a response that does not match the call. The service may have acted. */
  mismatch(message: string): ServiceError {
    return this.error('mismatch', 'unknown', message);
  }

  /** Creates the error of a response with an error status. `text` is the start of its body. */
  answer(status: number, text: string, contentType: string, retryAfter: number | undefined): ServiceError {
    const words = readErrorBody(this.conceal(text));
    const named = words.errorType === undefined ? `${status}` : `${status} ${words.errorType}`;
    const html = /html/i.test(contentType) ? ' with an HTML page' : '';
    const wait = retryAfter === undefined || retryAfter === 0 ? '' : `; it asks to wait ${Math.ceil(retryAfter / 1000)} s`;
    const origin = `${this.context.host} answered ${named}${html} to ${this.what}`;
    return this.error(
      errorKind(status, words.errorType),
      errorOutcome(status, retryAfter !== undefined, text, this.context.creates),
      `${words.message ?? origin}${wait}`,
      {
        ...(words.message !== undefined && { origin }),
        status,
        errorType: words.errorType,
        serviceMessage: words.message,
        requestId: this.context.requestId ?? words.requestId,
        retryAfter,
      },
    );
  }

  redirect(status: number, headers: IncomingHttpHeaders): ServiceError {
    return this.error(
      'redirect',
      errorOutcome(status, false, '', this.context.creates),
      `${this.context.host} answered ${status} to ${this.what} and points to ${this.redirectTarget(headers.location)}; redirects are not followed, ` +
        'so neither the key nor the request went there: check the base URL',
      { status },
    );
  }

  notJson(status: number, contentType: string): ServiceError {
    const type = contentType === '' ? 'without a content type' : `of type ${safeWords(contentType, 100)}`;
    return this.error(
      'not_json',
      'unknown',
      `${this.context.host} answered ${status} to ${this.what} with a body ${type} that is not what the service sends; check the base URL, and whether a proxy or a sign-in page answers in its place`,
      { status },
    );
  }

  /** Returns the error for a failure below HTTP. Anything other than an `ExchangeFailure` is returned unchanged. */
  network(failure: unknown): unknown {
    if (!(failure instanceof ExchangeFailure)) {
      return failure;
    }
    if (failure.reason === 'body') {
      return failure.cause;
    }
    const outcome: RequestOutcome = failure.sent ? 'unknown' : 'not_sent';
    const { host } = this.context;
    const { cause } = failure;
    if (failure.reason === 'aborted' || this.closed?.aborted) {
      return this.error('aborted', outcome, `${this.what} at ${host} was cancelled`);
    }
    if (cause instanceof ConnectFailure) {
      return this.connect(cause);
    }
    const [kind, message] = this.brokenOff(failure.reason);
    return this.error(kind, outcome, message, kind === 'not_json' || kind === 'connection_lost' ? { cause } : {});
  }

  private brokenOff(reason: ExchangeReason): readonly [ServiceErrorKind, message: string] {
    const { host } = this.context;
    const { what, timeouts } = this;
    switch (reason) {
      case 'first_byte': {
        const time = seconds(timeouts.firstByte);
        return ['first_byte_timeout', `${host} did not start to respond to ${what} within ${time}; the service may be overloaded`];
      }
      case 'silence':
        return ['silence_timeout', `${host} stopped sending in the middle of its response to ${what}; check the network`];
      case 'call':
        return ['call_timeout', `${what} at ${host} timed out after ${seconds(timeouts.call)}`];
      case 'protocol':
        return [
          'not_json',
          `${host} did not respond to ${what} with HTTP; check the port of the base URL, and whether it is http or https`,
        ];
      default: {
        const check = 'check the network and that the service is running';
        return ['connection_lost', `The connection to ${host} was lost before the response to ${what} was complete; ${check}`];
      }
    }
  }

  /** Removes the key and the secrets of the body from a text. See `concealed`. */
  conceal(text: string): string {
    const { key, secrets = [] } = this.context;
    return secrets.reduce((masked, secret) => concealed(masked, secret, '[secret]'), concealed(text, key));
  }

  get what(): string {
    return `${this.context.method} ${this.context.path}`;
  }

  private connect(failure: ConnectFailure): ServiceError {
    const { host } = this.context;
    const extras = { cause: failure };
    if (failure.proxyHost !== undefined) {
      const at = failure.proxyHost === '' ? 'the configured proxy' : `the proxy ${failure.proxyHost}`;
      const credentials = failure.proxyStatus === 407 ? 'check the credentials for the proxy' : 'check the proxy settings';
      return this.error('proxy', 'not_sent', `Could not reach ${host} through ${at}: ${safeWords(failure.message)}; ${credentials}`, {
        ...extras,
        status: failure.proxyStatus,
      });
    }
    const [kind, message] = this.notConnected(failure);
    return this.error(kind, 'not_sent', message, extras);
  }

  private notConnected({ reason, message }: ConnectFailure): readonly [ServiceErrorKind, message: string] {
    const { host } = this.context;
    const words = safeWords(message);
    const pac = 'whether it needs a proxy from a PAC file, which is not supported';
    switch (reason) {
      case 'elsewhere': {
        const advice = 'use https, or allow plain http for this connection';
        const address = `${host} is a name of this machine, but has the address ${words} of another one`;
        return ['insecure_http', `${address}: the key was not sent there over plain http; ${advice}`];
      }
      case 'dns':
        return ['dns', `The host name of ${host} has no address; check the base URL and the network, and ${pac}`];
      case 'refused':
        return ['connection_refused', `${host} refused the connection; check the port and that the service is running`];
      case 'timeout': {
        const checks = `check the host, the port, whether a firewall is in between, and ${pac}`;
        return ['connect_timeout', `No connection to ${host} in ${seconds(this.timeouts.connect)}; ${checks}`];
      }
      case 'tls': {
        const advice = 'check that the address is https, and that its certificate authority is known to this machine';
        return ['tls', `No trusted TLS connection to ${host}: ${words}; ${advice}`];
      }
      default:
        return ['connection_lost', `${host} closed the connection before ${this.what} was sent; check that the service is running`];
    }
  }

  private redirectTarget(location: string | undefined): string {
    try {
      return safeWords(new URL(location ?? '', `http://${this.context.host}`).host, 200);
    } catch {
      return 'another address';
    }
  }

  /** Copies only the message of an error, because sockets and parsers attach bytes and buffers to their errors. */
  private plainCause(cause: unknown): Error {
    const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
    const words = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    const plain = new Error(this.conceal(safeWords(code === undefined ? words : `${words} (${code})`)));
    plain.stack = plain.message;
    return plain;
  }
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
}
