import type { IncomingHttpHeaders } from 'node:http';
import { orAborted } from '../../shared/orAborted';
import type { CallRecord, Credential, ServiceClientOptions, Timeouts } from '../clientOptions';
import { collections, isNotServed } from '../dialect';
import { type BaseUrl, parseBaseUrl } from './baseUrl';
import { CallFailures } from './callFailures';
import { authorizationOf, type Call, eventStream, headersOf, isRead, isStreamType, targetOf } from './callHead';
import type { ByteStream, CallResult } from './callResult';
import { Connector } from './connector';
import { environmentProxy } from './environmentProxy';
import { healthAfter, ServiceError } from './errors';
import { Exchange, ExchangeFailure, type RawResponse } from './exchange';
import { ConnectionPool } from './httpConnection';
import { isCursor } from './pagination';
import { decoded, follow, isPlain, parseJson, readable, readBytes, saysNothing, toServiceError } from './responseBody';
import { type ClientClock, clientClock, RetryPolicy, readRetryAfter } from './retryPolicy';
import { demandSubject } from './subject';

/** Response whose body has not been read yet. Errors while reading it are `ServiceError`s. */
export interface StreamedResponse extends ByteStream {
  readonly status: number;
  readonly contentType: string;
  readonly failures: CallFailures;
  readonly headers: IncomingHttpHeaders;
  /** Closes the connection of an unread body. */
  cancel(): void;
}

const defaultTimeouts: Timeouts = { connect: 10_000, firstByte: 60_000, bodySilence: 60_000, streamSilence: 45_000, call: 120_000 };
const maxJsonBytes = 32 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
const longestTimer = 2 ** 31 - 1;

/**
 * Sends calls and reads their responses. Adds the base URL, the one authentication header and the dialect's headers. Applies time-outs,
 * retries reads, and throws a `ServiceError` for every failure. Never follows redirects.
 */
export class Transport {
  readonly baseUrl: string;
  readonly log: ServiceClientOptions['log'];
  readonly dialect: ServiceClientOptions['dialect'];
  private readonly base: BaseUrl;
  private readonly timeouts: Timeouts;
  private readonly pool: ConnectionPool;
  private readonly retries: RetryPolicy;
  private readonly clock: ClientClock;
  private readonly closed = new AbortController();

  constructor(private readonly options: ServiceClientOptions) {
    const timeouts: { -readonly [K in keyof Timeouts]: number } = { ...defaultTimeouts, ...options.timeouts };
    for (const name of Object.keys(timeouts) as (keyof Timeouts)[]) {
      timeouts[name] = Math.min(timeouts[name], longestTimer);
    }
    this.timeouts = timeouts;
    const base = parseBaseUrl(options.baseUrl);
    if (typeof base === 'string') {
      const failures = new CallFailures({ method: 'GET', host: '', path: '/v1', key: undefined }, this.timeouts);
      throw failures.error(
        'invalid_request',
        'not_sent',
        'The base URL of the connection must be an http or https address without user name, query and fragment; edit the connection',
      );
    }
    this.base = base;
    this.baseUrl = base.url;
    this.log = options.log;
    this.dialect = options.dialect;
    const network = options.network ?? {};
    const connector = new Connector(network, network.proxyFor ?? environmentProxy, this.timeouts.connect, options.allowInsecureHttp);
    this.pool = new ConnectionPool(base.origin, connector);
    this.clock = options.clock ?? clientClock;
    this.retries = new RetryPolicy(options.random ?? Math.random);
  }

  /**
   * Sends a call and reads its whole JSON body. `decode` returns the value or throws. Reads are retried. Throws a `mismatch` if the
   * response is about a different resource than `call.about`.
   */
  json<T>(call: Call, decode: (value: unknown, failures: CallFailures, headers: IncomingHttpHeaders) => T): Promise<CallResult<T>> {
    return this.withRetries(call, async () => {
      const { response, failures, requestId } = await this.attempt(call, false);
      const contentType = String(response.headers['content-type'] ?? '');
      try {
        const bytes = await readBytes(decoded(response.headers, response.body), maxJsonBytes);
        const value = call.maySayNothing && saysNothing(bytes, contentType) ? undefined : parseJson(new TextDecoder().decode(bytes));
        demandSubject(call, value, failures);
        return { data: decode(value, failures, response.headers), requestId };
      } catch (error) {
        response.cancel();
        throw toServiceError(error, failures, response.status, contentType);
      }
    });
  }

  /** Sends a call and returns its body as it arrives. Reads are retried until the head of the response arrived. */
  stream(call: Call): Promise<StreamedResponse> {
    return this.withRetries(call, async () => {
      const { response, failures, requestId } = await this.attempt(call, true);
      const contentType = String(response.headers['content-type'] ?? '');
      if (/html/i.test(contentType)) {
        response.cancel();
        throw failures.notJson(response.status, contentType);
      }
      const isEventStream = call.accept === eventStream;
      if (!isEventStream || isStreamType(contentType)) {
        follow(response, isEventStream);
      }
      const length = Number(response.headers['content-length'] ?? Number.NaN);
      return {
        status: response.status,
        body: readable(response, failures, contentType, isEventStream),
        contentLength: isPlain(response.headers) && Number.isSafeInteger(length) ? length : undefined,
        requestId,
        contentType,
        failures,
        headers: response.headers,
        cancel: () => response.cancel(),
      };
    });
  }

  /** Closes idle connections now, and the other connections when their exchanges end. */
  retire(): Promise<void> {
    return this.pool.retire();
  }

  /** Closes all connections. Running and later calls reject as `aborted`. */
  close(): Promise<void> {
    this.closed.abort();
    return this.pool.close();
  }

  private async withRetries<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
    let waited = 0;
    for (let count = 1; ; count++) {
      try {
        const result = await attempt();
        this.retries.succeeded();
        this.options.onHealth?.('answers');
        this.noteServed(call, true);
        return result;
      } catch (error) {
        const wait = isRead(call) && !call.once ? this.retries.waitAfter(error, count, waited) : undefined;
        if (wait === undefined) {
          if (error instanceof ServiceError && isNotServed(error.status)) {
            this.noteServed(call, false);
          }
          const health = healthAfter(error);
          if (health !== undefined) {
            this.options.onHealth?.(health);
          }
          throw error;
        }
        waited += wait;
        this.log?.info(`${call.method} /v1${call.path}: attempt ${count} failed (${describe(error)}), next in ${Math.round(wait)} ms`);
        try {
          await this.clock.sleep(wait, AbortSignal.any([this.closed.signal, ...(call.signal === undefined ? [] : [call.signal])]));
        } catch {
          throw this.failures(call, undefined).network(new ExchangeFailure('aborted', true));
        }
      }
    }
  }

  /**
   * Reports whether the service has a group's collection. Only the first page counts, because the cursor of a later page can have become
   * invalid.
   */
  private noteServed({ method, group, path, query = [] }: Call, isServed: boolean): void {
    if (method === 'GET' && path === collections.get(group) && !query.some(([name]) => isCursor(name))) {
      this.options.onServed?.(group, isServed);
    }
  }

  private async attempt(call: Call, streamed: boolean) {
    const began = performance.now();
    const credential = await this.credential(call);
    if (this.closed.signal.aborted) {
      throw this.failures(call, undefined).network(new ExchangeFailure('aborted', false));
    }
    const plain = this.failures(call, credential?.key);
    const headers = { ...headersOf(call, this.options, plain), ...authorizationOf(credential, this.base, this.options, plain) };
    const path = targetOf(call, this.base, this.dialect);
    const { method, body, onProgress } = call;
    const timeouts = {
      firstByte: call.slow ? this.timeouts.call : this.timeouts.firstByte,
      silence: call.accept === eventStream ? this.timeouts.streamSilence : this.timeouts.bodySilence,
      call: this.timeouts.call,
    };
    const connection = this.pool.take(isRead(call) && !streamed);
    let response: RawResponse;
    try {
      response = await new Exchange(
        connection,
        { method, path, headers, body, onProgress, timeouts },
        call.signal,
        reusable => void this.pool.give(connection, reusable),
      ).run();
    } catch (error) {
      const failure = plain.network(error);
      this.note(call, began, { failure: failure instanceof ServiceError ? failure.kind : 'unknown' });
      this.log?.info(`${call.method} /v1${call.path} failed after ${Math.round(performance.now() - began)} ms: ${describe(failure)}`);
      throw failure;
    }
    const { status } = response;
    const requestId = readRequestId(response.headers);
    const failures = this.failures(call, credential?.key, requestId);
    this.note(call, began, { status, ...(requestId !== undefined && { requestId: failures.conceal(requestId) }) });
    this.log?.debug(
      failures.conceal(
        `${call.method} /v1${call.path} ${status} in ${Math.round(performance.now() - began)} ms, request-id ${requestId ?? 'none'}`,
      ),
    );
    if (status >= 200 && status < 300) {
      return { response, failures, requestId };
    }
    throw await this.refusal(response, failures);
  }

  private note({ method, path }: Call, began: number, end: Pick<CallRecord, 'status' | 'requestId' | 'failure'>): void {
    this.options.onCall?.({ method, path, milliseconds: Math.round(performance.now() - began), ...end });
  }

  private async refusal(response: RawResponse, failures: CallFailures): Promise<unknown> {
    const { status, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.cancel();
      return failures.redirect(status, headers);
    }
    let text = '';
    try {
      const bytes = await readBytes(decoded(headers, response.body), maxErrorBytes, true);
      text = new TextDecoder().decode(bytes);
    } catch (error) {
      if (error instanceof ExchangeFailure && error.reason === 'aborted') {
        return failures.network(error);
      }
      // An unreadable body counts as empty.
    }
    response.cancel();
    return failures.answer(status, text, String(headers['content-type'] ?? ''), readRetryAfter(headers, this.clock));
  }

  private failures(call: Call, key: string | undefined, requestId?: string): CallFailures {
    return new CallFailures(
      {
        method: call.method,
        host: this.base.host,
        path: `${this.base.path}/v1${call.path}`,
        key,
        secrets: call.secrets,
        requestId,
        creates: call.creates,
      },
      this.timeouts,
      this.closed.signal,
    );
  }

  private async credential(call: Call): Promise<Credential | undefined> {
    const { signal } = call;
    try {
      signal?.throwIfAborted();
      return await orAborted(this.options.credential(), signal);
    } catch (error) {
      throw signal?.aborted ? this.failures(call, undefined).network(new ExchangeFailure('aborted', false)) : error;
    }
  }
}

/** Returns the service's `request-id`. If a gateway added an id of its own, returns the first id. */
function readRequestId(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['request-id'] ?? headers['x-request-id'];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first.replace(/[^\x21-\x7e]/g, '?').slice(0, 200);
}

function describe(error: unknown): string {
  return error instanceof ServiceError ? `${error.kind}${error.status === undefined ? '' : ` ${error.status}`}` : 'the request body failed';
}
