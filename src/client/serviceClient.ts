import type { LookupFunction } from 'node:net';
import type { StreamedBody } from '../contract/streamedBody';
import type { Dialect } from './dialect';
import type { Agent } from './schemas/agents';
import type { Environment } from './schemas/environments';
import type { UploadedFile } from './schemas/files';
import type { DeletedMessageBatch, MessageBatch } from './schemas/messageBatches';
import type { MessageStreamEvent } from './schemas/messageStream';
import type { Message } from './schemas/messages';
import type { Model } from './schemas/models';
import type { SessionEvent } from './schemas/sessionEvents';
import type { Deleted, Session, SessionResource, SessionThread } from './schemas/sessions';
import type { Answer, BodyPlace, CallOptions, ListOptions, Page, ResumableStream } from './transport/answer';
import type { Clock } from './transport/retryPolicy';

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
  /** How names get their addresses; the system's way unless given. */
  readonly lookup?: LookupFunction;
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
  /**
   * The results file as bytes; with `from`, from there on when the service can and its file is still the same, else from the start. The
   * path is built from the id on the connection's base URL; `results_url` is never followed. With `once` nothing is tried again here:
   * the caller does that.
   */
  results(id: string, options?: CallOptions & { readonly from?: BodyPlace | undefined; readonly once?: boolean }): Promise<ResumableStream>;
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

/** Filters of a list of sessions (API facts, section 7). A service that does not know one ignores it or answers 400. */
export interface SessionFilters {
  readonly agentId?: string;
  /** Only together with `agentId`. */
  readonly agentVersion?: number;
  readonly statuses?: readonly string[];
  /** RFC 3339. */
  readonly createdSince?: string;
  readonly createdBefore?: string;
  readonly includeArchived?: boolean;
  readonly order?: 'asc' | 'desc';
}

/** Filters of a list of events. `order` must be named: servers differ in their default. */
export interface EventFilters {
  readonly order?: 'asc' | 'desc';
  readonly types?: readonly string[];
  /** RFC 3339; many servers keep whole seconds. */
  readonly createdSince?: string;
}

/** Events as they arrive, unknown types included. Leaving the iteration early closes the connection. */
export interface SessionEventStream extends AsyncIterable<SessionEvent> {
  readonly requestId: string | undefined;
  /** Bytes that came so far, comments and pings included: what a watchdog counts. */
  readonly receivedBytes: number;
  /** 204 when the service says that there is nothing to stream and there will be nothing. */
  readonly status?: number;
  /** The last `id:` that the service gave, for a reconnect. */
  readonly lastEventId?: string | undefined;
  /** Milliseconds the service asked to wait before a reconnect. */
  readonly retry?: number | undefined;
  /** Takes the events that have arrived already, so that those of one piece can be handled as one. */
  takeArrived?(): readonly SessionEvent[];
  /** The `id:` of the frame that brought an event which has no `id` of its own. */
  frameIdOf?(event: SessionEvent): string | undefined;
}

export interface EventStreamOptions extends CallOptions {
  /** Event types that are previewed while they are made: `agent.message`, `agent.thinking` (API facts, 8.3). */
  readonly previews?: readonly string[];
  /** Sent as `Last-Event-ID`: only to a service that gives ids. */
  readonly lastEventId?: string;
}

/** What a session or one of its threads says. */
export interface EventLog {
  list(options?: ListOptions & EventFilters): Promise<Page<SessionEvent>>;
  /** Attaches to the stream, in one attempt. What fails later rejects the iteration, after what came before. */
  stream(options?: EventStreamOptions): Promise<SessionEventStream>;
}

/** Sessions and what is nested under them (contract, Session; API facts, sections 7 to 9). Writes are sent once and never again by themselves. */
export interface Sessions {
  /** `params` is `{agent, environment_id, title?, metadata?, resources?, initial_events?, budget?}`. */
  create(params: object, options?: CallOptions): Promise<Answer<Session>>;
  /** One page, newest first unless `order` says otherwise. */
  list(options?: ListOptions & SessionFilters): Promise<Page<Session>>;
  retrieve(id: string, options?: CallOptions): Promise<Answer<Session>>;
  /** `params` is a patch: `{title?, metadata?, agent?, budget?}`. */
  update(id: string, params: object, options?: CallOptions): Promise<Answer<Session>>;
  /** One-way: an archived session takes no more events. */
  archive(id: string, options?: CallOptions): Promise<Answer<Session>>;
  delete(id: string, options?: CallOptions): Promise<Answer<Deleted>>;
  /** Sends events in this order; answers them as stored, with their ids. */
  send(id: string, events: readonly object[], options?: CallOptions): Promise<Answer<readonly SessionEvent[]>>;
  events(id: string): EventLog;
  threadEvents(id: string, threadId: string): EventLog;
  listThreads(id: string, options?: ListOptions): Promise<Page<SessionThread>>;
  retrieveThread(id: string, threadId: string, options?: CallOptions): Promise<Answer<SessionThread>>;
  archiveThread(id: string, threadId: string, options?: CallOptions): Promise<Answer<SessionThread>>;
  listResources(id: string, options?: ListOptions): Promise<Page<SessionResource>>;
  addResource(id: string, params: object, options?: CallOptions): Promise<Answer<SessionResource>>;
  removeResource(id: string, resourceId: string, options?: CallOptions): Promise<Answer<Deleted>>;
}

/** Agents and their versions (API facts, section 10). */
export interface Agents {
  /** `params` is an object or its JSON text, which is sent byte for byte. */
  create(params: object | string, options?: CallOptions): Promise<Answer<Agent>>;
  list(options?: ListOptions & { readonly includeArchived?: boolean }): Promise<Page<Agent>>;
  /** The latest version, or the one asked for. */
  retrieve(id: string, options?: CallOptions & { readonly version?: number }): Promise<Answer<Agent>>;
  /**
   * Publishes a new version. `params` holds the `version` it was based on: when that is no longer the latest, the service answers
   * 409. Absent fields stay; `null` clears; arrays are replaced whole; `metadata` is a patch.
   */
  update(id: string, params: object, options?: CallOptions): Promise<Answer<Agent>>;
  /** One-way: an archived agent takes no update and starts no session. */
  archive(id: string, options?: CallOptions): Promise<Answer<Agent>>;
  /** Newest first. */
  versions(id: string, options?: ListOptions): Promise<Page<Agent>>;
}

export interface Environments {
  create(params: object, options?: CallOptions): Promise<Answer<Environment>>;
  list(options?: ListOptions & { readonly includeArchived?: boolean }): Promise<Page<Environment>>;
  retrieve(id: string, options?: CallOptions): Promise<Answer<Environment>>;
  archive(id: string, options?: CallOptions): Promise<Answer<Environment>>;
  delete(id: string, options?: CallOptions): Promise<Answer<Deleted>>;
}

/** Input files of sessions (API facts, section 12). */
export interface Files {
  /** Uploads one file, streamed; `name` is its base name. Sent once and never again by itself. */
  upload(
    file: { readonly name: string; readonly mediaType?: string; readonly content: StreamedBody },
    options?: CallOptions,
  ): Promise<Answer<UploadedFile>>;
  list(options?: ListOptions): Promise<Page<UploadedFile>>;
  delete(id: string, options?: CallOptions): Promise<Answer<Deleted>>;
}

/** The service over HTTP. `close` ends every connection it holds; a client must not be used afterwards. */
export interface ServiceClient {
  readonly baseUrl: string;
  readonly batches: MessageBatches;
  readonly models: Models;
  readonly messages: Messages;
  readonly sessions: Sessions;
  readonly agents: Agents;
  readonly environments: Environments;
  readonly files: Files;
  /** Lets what is under way end and keeps no connection after that: for a client whose settings are out of date. */
  retire(): Promise<void>;
  close(): Promise<void>;
}
