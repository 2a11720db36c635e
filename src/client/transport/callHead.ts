import type { StreamedBody } from '../../contract/streamedBody';
import type { AuthForm, Credential, ServiceClientOptions } from '../clientOptions';
import type { ResourceGroup } from '../dialect';
import type { BodyPlace } from './answer';
import type { CallFailures } from './callFailures';
import { isLoopback, type ParsedBaseUrl } from './parsedBaseUrl';
import type { Subject } from './subject';

/** One call as a resource asks for it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly group: ResourceGroup;
  /** Below `/v1`, its segments percent-encoded: `/messages/batches`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | StreamedBody;
  readonly accept?: string;
  /** Media type of the body; JSON unless said otherwise. */
  readonly contentType?: string;
  /** `Last-Event-ID` of a stream that is taken up again. */
  readonly lastEventId?: string;
  /** Only what follows of the body, while it is the one that is meant. */
  readonly from?: BodyPlace;
  /** The answer's first byte comes when its work is done: the call time-out is the only one until then. */
  readonly slow?: boolean;
  /** Makes something that did not exist: what became of it is known only from the service's own words. */
  readonly creates?: boolean;
  /** Resource that the response must describe. */
  readonly about?: Subject;
  /** True if the call is attributed to the client's user profile. */
  readonly isAttributed?: boolean;
  /** A 2xx is enough: an answer without a JSON body, a page of HTML aside, is decoded as undefined. */
  readonly maySayNothing?: boolean;
  /** Not tried again here: the caller has a policy of its own. */
  readonly once?: boolean;
  /** Secrets that the body holds: no error tells them, whatever the service says back. */
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (sentBytes: number) => void;
}

/** What goes before a call's body: its target and headers, the key among them. */
export class CallHead {
  constructor(
    private readonly base: ParsedBaseUrl,
    private readonly options: ServiceClientOptions,
  ) {}

  /** Path and query as they stand in the request. */
  target(call: Call): string {
    const { dialect } = this.options;
    const query = new URLSearchParams((call.query ?? []).map(([name, value]): [string, string] => [name, value]));
    if (dialect.betaQuery && dialect.betas[call.group] !== undefined) {
      query.set('beta', 'true');
    }
    const text = query.toString();
    return `${this.base.path}/v1${call.path}${text === '' ? '' : `?${text}`}`;
  }

  /** All headers of a call. Throws a `ServiceError` for what must not or cannot be sent; nothing has gone out then. */
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
      // A length that can be checked and events without delay are worth more than compression where the answer is streamed.
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
   * The one place where a key meets a request: it goes along only to the origin it was given for, in exactly one of the two
   * headers, and over plain http only to this machine or where the user said so.
   */
  private authorization(credential: Credential | undefined, failures: CallFailures): Record<string, string> {
    const { base, options } = this;
    if (base.url.protocol === 'http:' && !isLoopback(base.url.hostname) && options.allowInsecureHttp !== true) {
      throw failures.error(
        'insecure_http',
        'not_sent',
        `${base.host} would get the key over plain http, where anyone on the way can read it; use https, or allow plain http for this connection`,
      );
    }
    if (credential === undefined || credential.key === '') {
      throw failures.error('no_credential', 'not_sent', `There is no API key for ${base.host}; set one for this connection`);
    }
    if (originOf(credential.origin) !== base.origin) {
      throw failures.error(
        'foreign_origin',
        'not_sent',
        `The API key was given for another address than ${base.origin} and was not sent; set the key of this connection again`,
      );
    }
    const wrong = credential.key.search(/[^\x21-\x7e]/);
    if (wrong >= 0) {
      throw failures.error(
        'no_credential',
        'not_sent',
        `The API key for ${base.host} cannot be sent: its character ${wrong + 1} is a space, a line break or no ASCII character; set the key again`,
      );
    }
    return authHeader(options.auth, credential.key);
  }
}

export const eventStream = 'text/event-stream';

/** Whether a text can be the value of a header. What a service gave and cannot be sent back is left out of a request. */
export function isSendable(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

/** Whether an answer of this type can be a stream of events. */
export function isStreamType(contentType: string): boolean {
  return contentType === '' || /event-stream/i.test(contentType);
}

function authHeader(form: AuthForm, key: string): Record<string, string> {
  return form === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

function originOf(text: string): string | undefined {
  try {
    return new URL(text).origin;
  } catch {
    return undefined;
  }
}
