import type { StreamedBody } from '../../contract/streamedBody';
import type { Credential, ServiceClientOptions } from '../clientOptions';
import type { ResourceGroup } from '../dialect';
import type { BaseUrl } from './baseUrl';
import type { CallFailures } from './callFailures';
import type { BodyPosition } from './callResult';
import type { Subject } from './subject';

/** Call of the service, before the transport adds its headers. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly group: ResourceGroup;
  /** Path below `/v1` with percent-encoded segments: `/messages/batches`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | StreamedBody;
  readonly accept?: string;
  /** Media type of the body. JSON by default. */
  readonly contentType?: string;
  /** `Last-Event-ID` of a stream that is resumed. */
  readonly lastEventId?: string;
  /** Position from which to request the body, if the body is unchanged. */
  readonly from?: BodyPosition;
  /** True if the response starts only when the work is done. Until then, only the call time-out applies. */
  readonly slow?: boolean;
  /** True for a `POST` that changes nothing. Such a call is retried like a `GET`. */
  readonly isRead?: boolean;
  /** True if the call creates something. Only an error in the service's own form proves that nothing was created. */
  readonly creates?: boolean;
  readonly about?: Subject;
  /** True if the call is attributed to the client's user profile. */
  readonly isAttributed?: boolean;
  /** True if a 2xx is enough. A response without a JSON body is decoded as `undefined`. An HTML page is still an error. */
  readonly maySayNothing?: boolean;
  /** True if the call is not retried here, because the caller has its own policy. */
  readonly once?: boolean;
  /** Secrets in the body. No error contains them, whatever the service returns. */
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (sentBytes: number) => void;
}

/** Returns whether a call changes nothing. */
export function isRead({ method, isRead: changesNothing = method === 'GET' }: Pick<Call, 'method' | 'isRead'>): boolean {
  return changesNothing;
}

/** Builds the target and headers of a call, including the key. */
export class CallHead {
  constructor(
    private readonly base: BaseUrl,
    private readonly options: ServiceClientOptions,
  ) {}

  /** Returns the path and query as they appear in the request. */
  target(call: Call): string {
    const { dialect } = this.options;
    const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
    if (dialect.betaQuery && dialect.betas[call.group] !== undefined) {
      query.set('beta', 'true');
    }
    const text = query.toString();
    return `${this.base.path}/v1${call.path}${text === '' ? '' : `?${text}`}`;
  }

  /** Returns all headers of a call. Throws a `ServiceError` with the outcome `not_sent` if the call can't or must not be sent. */
  headers(call: Call, credential: Credential | undefined, failures: CallFailures): Record<string, string> {
    const { dialect, extraBetas = [], userAgent = 'managed-agents' } = this.options;
    const profile = call.isAttributed === true ? this.options.userProfileId : undefined;
    const betas = new Set(
      [dialect.betas[call.group], ...(profile === undefined ? [] : [dialect.userProfilesBeta]), ...extraBetas]
        .filter(beta => beta !== undefined && beta.trim() !== '')
        .map(beta => beta?.trim()),
    );
    const headers: Record<string, string> = {
      accept: call.accept ?? 'application/json',
      // Streamed responses are not compressed, so that the length can be checked and events arrive without delay.
      'accept-encoding': call.accept === undefined ? 'gzip, br' : 'identity',
      'user-agent': userAgent,
      [`${dialect.headerPrefix}-version`]: dialect.version,
      ...(betas.size > 0 ? { [`${dialect.headerPrefix}-beta`]: [...betas].join(',') } : {}),
      ...(profile === undefined ? {} : { [`${dialect.headerPrefix}-user-profile-id`]: profile }),
      ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      ...(call.lastEventId === undefined || !isSendable(call.lastEventId) ? {} : { 'last-event-id': call.lastEventId }),
      ...(call.from === undefined || !isSendable(call.from.validator)
        ? {}
        : { range: `bytes=${call.from.offset}-`, 'if-range': call.from.validator }),
    };
    for (const [name, value] of Object.entries(headers)) {
      if (!isSendable(value)) {
        throw failures.error(
          'invalid_request',
          'not_sent',
          `The value of the header ${name} has characters that cannot be sent; edit the connection`,
        );
      }
    }
    return { ...headers, ...this.authorization(credential, failures) };
  }

  /**
   * Returns the header with the key. No other code adds a key to a request. The key is sent only to the origin for which it was entered, in
   * exactly one of the two headers. Over plain http, the key is sent only to this machine, or to a host that the user allowed.
   */
  private authorization(credential: Credential | undefined, failures: CallFailures): Record<string, string> {
    const { base, options } = this;
    if (base.isInsecure && options.allowInsecureHttp !== true) {
      throw failures.error(
        'insecure_http',
        'not_sent',
        `${base.host} would receive the API key over unencrypted http; use https, or allow plain http for this connection`,
      );
    }
    if (credential === undefined || credential.key === '') {
      throw failures.error('no_credential', 'not_sent', `No API key for ${base.host}; set the API key of this connection`);
    }
    if (!URL.canParse(credential.origin) || new URL(credential.origin).origin !== base.origin) {
      throw failures.error(
        'foreign_origin',
        'not_sent',
        `The API key belongs to another address than ${base.origin} and was not sent; set the API key again`,
      );
    }
    const wrong = credential.key.search(/[^\x21-\x7e]/);
    if (wrong >= 0) {
      throw failures.error(
        'no_credential',
        'not_sent',
        `The API key for ${base.host} cannot be sent: its character ${wrong + 1} is a space, a line break or not ASCII; set the API key again`,
      );
    }
    return options.auth === 'bearer' ? { authorization: `Bearer ${credential.key}` } : { 'x-api-key': credential.key };
  }
}

export const eventStream = 'text/event-stream';

/** Returns whether a text can be a header value. A value from the service that can't be sent back is left out of the request. */
export function isSendable(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

/** Returns whether a response of this content type can be an event stream. */
export function isStreamType(contentType: string): boolean {
  return contentType === '' || /event-stream/i.test(contentType);
}
