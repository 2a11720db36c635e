import type { Answer, ByteStream, CallOptions, ListOptions, Page, StreamedBody } from './answer';
import type { Dialect } from './dialect';
import { createMessageBatches } from './resources/messageBatches';
import { createMessages } from './resources/messages';
import { createModels } from './resources/models';
import type { Clock } from './retryPolicy';
import type { DeletedMessageBatch, MessageBatch } from './schemas/messageBatches';
import type { MessageStreamEvent } from './schemas/messageStream';
import type { Message } from './schemas/messages';
import type { Model } from './schemas/models';
import { Transport } from './transport';

/** Which of the two authentication headers carries the key: `X-Api-Key: KEY` or `Authorization: Bearer KEY` (contract, Authentication 1). */
export type AuthForm = 'x-api-key' | 'bearer';

/** An API key and the one origin (scheme, host, port) it was given for. It is attached to requests of that origin only. */
export interface Credential {
  readonly key: string;
  readonly origin: string;
}

/** Where and how connections to the service leave this machine. */
export interface NetworkOptions {
  /** Proxy for a URL, or undefined for a direct connection. Defaults to the environment's `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly proxyFor?: (url: URL) => string | undefined;
  /** Value of `Proxy-Authorization`, when the proxy wants one. */
  readonly proxyAuthorization?: string;
  /** Extra certificate authorities in PEM, beside the built-in ones. */
  readonly certificateAuthorities?: readonly string[];
  /** Certificates are always checked unless VS Code's own `http.proxyStrictSSL` is off. */
  readonly strictTls?: boolean;
}

/** Time-outs in milliseconds; each defaults to the number in the contributors' guide. */
export interface Timeouts {
  readonly connect: number;
  readonly firstByte: number;
  readonly bodySilence: number;
  /** Silence in an event stream; comments count as life. */
  readonly streamSilence: number;
  /** A whole call that is not streamed, retries not counted. A streamed upload may take longer: there, silence counts. */
  readonly call: number;
}

/** Where the client writes what it did: never a key, never a body. */
export interface ClientLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

export interface ServiceClientOptions {
  /** Base address of the service, with or without a path; resources are under its `/v1`. */
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: Dialect;
  /** Beta values added to those the dialect sends for a resource. */
  readonly extraBetas?: readonly string[];
  /** Asked for at every request, so that a changed key is used at once. */
  readonly credential: () => Promise<Credential | undefined>;
  /** Plain http to a host that is not loopback is refused unless this is true. */
  readonly allowInsecureHttp?: boolean;
  readonly network?: NetworkOptions;
  readonly timeouts?: Partial<Timeouts>;
  readonly log?: ClientLog;
  readonly userAgent?: string;
  /** Time and chance, for tests. */
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Message batches (contract, `POST /v1/messages/batches` and the paths under it). */
export interface MessageBatches {
  /**
   * Creates a batch from a streamed `{"requests":[...]}` body. Never sent a second time: a failure says in its `outcome`
   * whether the service can have applied it. An error of `body` itself is thrown as it is; its last bytes then never left, so
   * the service has no whole request to apply.
   */
  create(body: StreamedBody, options?: CallOptions & { readonly onProgress?: (sentBytes: number) => void }): Promise<Answer<MessageBatch>>;
  /** One page, newest first. */
  list(options?: ListOptions): Promise<Page<MessageBatch>>;
  retrieve(id: string, options?: CallOptions): Promise<Answer<MessageBatch>>;
  /** Asks for cancellation; the batch stays `canceling` until its running requests have ended. */
  cancel(id: string, options?: CallOptions): Promise<Answer<MessageBatch>>;
  delete(id: string, options?: CallOptions): Promise<Answer<DeletedMessageBatch>>;
  /** The results file as bytes. The path is built from the id on the connection's base URL; `results_url` is never followed. */
  results(id: string, options?: CallOptions): Promise<ByteStream>;
}

export interface Models {
  list(options?: ListOptions): Promise<Page<Model>>;
}

/** Single message requests. `params` is either an object or the JSON text of one, which is sent byte for byte. */
export interface Messages {
  create(params: object | string, options?: CallOptions): Promise<Answer<Message>>;
  /** Sends `params` with `stream` set to true and yields the events as they arrive, unknown types included. */
  stream(params: object | string, options?: CallOptions): Promise<MessageStream>;
}

/** The events of one streamed message. Leaving the iteration early closes the connection. */
export interface MessageStream extends AsyncIterable<MessageStreamEvent> {
  readonly requestId: string | undefined;
}

/** The service over HTTP. `close` ends every connection it holds; a client must not be used afterwards. */
export interface ServiceClient {
  readonly baseUrl: string;
  readonly batches: MessageBatches;
  readonly models: Models;
  readonly messages: Messages;
  /** Lets what is under way end and keeps no connection after that: for a client whose settings are out of date. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A client for one service. Throws a `ServiceError` of kind `invalid_request` when the base URL is none. Load this module with
 * `await import`: it brings undici and zod with it.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const transport = new Transport(options);
  return {
    baseUrl: transport.baseUrl,
    batches: createMessageBatches(transport),
    models: createModels(transport),
    messages: createMessages(transport),
    retire: () => transport.retire(),
    close: () => transport.close(),
  };
}
