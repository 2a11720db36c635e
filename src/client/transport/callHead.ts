import type { StreamedBody } from '../../contract/streamedBody';
import type { Credential, ServiceClientOptions } from '../clientOptions';
import type { Dialect, ResourceGroup } from '../dialect';
import type { BaseUrl } from './baseUrl';
import type { CallFailures } from './callFailures';
import type { BodyPosition } from './callResult';
import type { ServiceErrorKind } from './errors';
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

export function isRead({ method, isRead: changesNothing = method === 'GET' }: Pick<Call, 'method' | 'isRead'>): boolean {
  return changesNothing;
}

/** Returns the path and query of a call as they appear in the request. */
export function targetOf(call: Call, base: BaseUrl, dialect: Dialect): string {
  const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
  if (dialect.betaQuery && dialect.betas[call.group] !== undefined) {
    query.set('beta', 'true');
  }
  const text = query.toString();
  return `${base.path}/v1${call.path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the headers of a call without the key. Throws a `ServiceError` with the outcome `not_sent` for a header that can't be sent. */
export function headersOf(call: Call, options: ServiceClientOptions, failures: CallFailures): Record<string, string> {
  const { dialect, extraBetas = [], userAgent = 'managed-agents' } = options;
  const profile = call.isAttributed === true ? options.userProfileId : undefined;
  const betas = new Set(
    [dialect.betas[call.group], ...(profile === undefined ? [] : [dialect.userProfilesBeta]), ...extraBetas]
      .map(beta => beta?.trim() ?? '')
      .filter(beta => beta !== ''),
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
  const unsendable = Object.entries(headers).find(([, value]) => !isSendable(value));
  if (unsendable !== undefined) {
    const message = `The value of the header ${unsendable[0]} has characters that cannot be sent; edit the connection`;
    throw failures.error('invalid_request', 'not_sent', message);
  }
  return headers;
}

/**
 * Returns the header with the key. No other code adds a key to a request. The key is sent only to the origin for which it was entered, in
 * exactly one of the two headers. Over plain http, the key is sent only to this machine, or to a host that the user allowed. Throws a
 * `ServiceError` with the outcome `not_sent` if the key can't or must not be sent.
 */
export function authorizationOf(
  credential: Credential | undefined,
  base: BaseUrl,
  { auth, allowInsecureHttp }: ServiceClientOptions,
  failures: CallFailures,
): Record<string, string> {
  const refusal = (kind: ServiceErrorKind, message: string) => failures.error(kind, 'not_sent', message);
  const { host, origin } = base;
  if (base.isInsecure && allowInsecureHttp !== true) {
    const advice = 'use https, or allow plain http for this connection';
    throw refusal('insecure_http', `${host} would receive the API key over unencrypted http; ${advice}`);
  }
  if (credential === undefined || credential.key === '') {
    throw refusal('no_credential', `No API key for ${host}; set the API key of this connection`);
  }
  if (!URL.canParse(credential.origin) || new URL(credential.origin).origin !== origin) {
    throw refusal('foreign_origin', `The API key belongs to another address than ${origin} and was not sent; set the API key again`);
  }
  const wrong = credential.key.search(/[^\x21-\x7e]/);
  if (wrong >= 0) {
    const reason = `its character ${wrong + 1} is a space, a line break or not ASCII`;
    throw refusal('no_credential', `The API key for ${host} cannot be sent: ${reason}; set the API key again`);
  }
  return auth === 'bearer' ? { authorization: `Bearer ${credential.key}` } : { 'x-api-key': credential.key };
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
