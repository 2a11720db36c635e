import type { StreamedBody } from '../contract/streamedBody';
import type { Crud } from './resources/crud';
import type { MemoryStores } from './resources/memoryStores';
import type { Agent } from './schemas/agents';
import type { Deployment, DeploymentRun } from './schemas/deployments';
import type { Environment, WorkItem, WorkQueueStats } from './schemas/environments';
import type { ServiceFile } from './schemas/files';
import type { MessageBatch } from './schemas/messageBatches';
import type { Message, MessageStreamEvent, TokenCount } from './schemas/messages';
import type { Model } from './schemas/models';
import type { SessionEvent } from './schemas/sessionEvents';
import type { FileResourceParams, RepositoryResourceParams, SessionParams, SessionPatch } from './schemas/sessionParams';
import type { Deleted, Session, SessionResource, SessionThread } from './schemas/sessions';
import type { Skill, SkillVersion } from './schemas/skills';
import type { Credential, CredentialValidation, Vault } from './schemas/vaults';
import type { CreatedWebhook, Webhook } from './schemas/webhooks';
import type { CallResult, BodyPosition, ByteStream, CallOptions, ListOptions, Page, ResumableStream } from './transport/callResult';

/** Message batches (contract, `POST /v1/messages/batches` and the paths below it). */
export interface MessageBatches extends Pick<Crud<MessageBatch>, 'list' | 'retrieve' | 'delete'> {
  /**
   * Creates a batch from a streamed `{"requests":[...]}` body. Never sent twice: the `outcome` of a failure says whether the service can
   * have applied it. An error of `body` itself is thrown unchanged. Its last bytes were then not sent, so the service has no complete
   * request to apply. Throws a `mismatch` with outcome `unknown` if the response can't be a batch that was created just now with
   * `requestCount` requests.
   */
  create(body: StreamedBody, options?: CreateBatchOptions): Promise<CallResult<MessageBatch>>;
  /** Requests cancellation. The batch stays `canceling` until its running requests have ended. */
  cancel(id: string, options?: CallOptions): Promise<CallResult<MessageBatch>>;
  /**
   * Returns the bytes of the results file. With `from`, resumes there if the service can and its file is unchanged, and otherwise starts
   * over. The path is built from the id and the connection's base URL; `results_url` is never followed. With `once`, the caller handles
   * retries.
   */
  results(
    id: string,
    options?: CallOptions & { readonly from?: BodyPosition | undefined; readonly once?: boolean },
  ): Promise<ResumableStream>;
}

export interface CreateBatchOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
  /** Number of requests in the body, compared with the service's count. */
  readonly requestCount?: number;
}

export interface Models {
  list(options?: ListOptions): Promise<Page<Model>>;
}

/** Single message requests. `params` is an object or its JSON text, which is sent byte for byte. */
export interface Messages {
  create(params: object | string, options?: CallOptions): Promise<CallResult<Message>>;
  /**
   * Counts the input tokens of `params` without running them. `params` must not have fields that a count rejects, such as `max_tokens`.
   */
  countTokens(params: object | string, options?: CallOptions): Promise<CallResult<TokenCount>>;
  /** Sends `params` with `stream` set to true. Yields the events as they arrive, including unknown types. */
  stream(params: object | string, options?: CallOptions): Promise<MessageStream>;
}

/** Events of one streamed message. Leaving the iteration early closes the connection. */
export interface MessageStream extends AsyncIterable<MessageStreamEvent> {
  readonly requestId: string | undefined;
}

/** Filters of a list of sessions (API facts, section 7). A service ignores an unknown filter or returns 400. */
export interface SessionFilters {
  readonly agentId?: string;
  /** Valid only together with `agentId`. */
  readonly agentVersion?: number;
  readonly statuses?: readonly string[];
  /** RFC 3339 timestamp. */
  readonly createdSince?: string;
  readonly createdBefore?: string;
  readonly includeArchived?: boolean;
  readonly order?: 'asc' | 'desc';
}

/** Filters of a list of events. `order` is required: servers differ in their default. */
export interface EventFilters {
  readonly order?: 'asc' | 'desc';
  readonly types?: readonly string[];
  /** RFC 3339 timestamp. Many servers round to whole seconds. */
  readonly createdSince?: string;
}

/** Events as they arrive, including unknown types. Leaving the iteration early closes the connection. */
export interface SessionEventStream extends AsyncIterable<SessionEvent> {
  readonly requestId: string | undefined;
  /** Number of bytes received so far, including comments and pings. Used to detect a silent stream. */
  readonly receivedBytes: number;
  /** 204 if the service has nothing to stream and never will. */
  readonly status?: number;
  /** Last `id:` that the service sent, for a reconnect. */
  readonly lastEventId?: string | undefined;
  /** Delay before a reconnect that the service asked for, in milliseconds. */
  readonly retry?: number | undefined;
  /** Removes and returns the events that have already arrived, so that they can be handled together. */
  takeArrived?(): readonly SessionEvent[];
  /** Returns the `id:` of the frame of an event that has no `id` of its own. */
  frameIdOf?(event: SessionEvent): string | undefined;
}

export interface EventStreamOptions extends CallOptions {
  /** Event types for which to request previews: `agent.message`, `agent.thinking` (API facts, 8.3). */
  readonly previews?: readonly string[];
  /** Value of `Last-Event-ID`. Sent only to a service that sends ids. */
  readonly lastEventId?: string;
}

/** Events of a session or of one of its threads. */
export interface EventLog {
  list(options?: ListOptions & EventFilters): Promise<Page<SessionEvent>>;
  /** Opens the stream in one attempt. Later failures reject the iteration, after the events before them. */
  stream(options?: EventStreamOptions): Promise<SessionEventStream>;
}

/** Sessions and everything below them (contract, Session; API facts, sections 7 to 9). An archived session accepts no more events. */
export interface Sessions extends Crud<Session, SessionFilters> {
  create(params: SessionParams, options?: CallOptions): Promise<CallResult<Session>>;
  update(id: string, params: SessionPatch, options?: CallOptions): Promise<CallResult<Session>>;
  /** Sends events in this order. Returns the stored events with their ids. */
  send(id: string, events: readonly object[], options?: CallOptions): Promise<CallResult<readonly SessionEvent[]>>;
  events(id: string): EventLog;
  threadEvents(id: string, threadId: string): EventLog;
  listThreads(id: string, options?: ListOptions): Promise<Page<SessionThread>>;
  retrieveThread(id: string, threadId: string, options?: CallOptions): Promise<CallResult<SessionThread>>;
  archiveThread(id: string, threadId: string, options?: CallOptions): Promise<CallResult<SessionThread>>;
  listResources(id: string, options?: ListOptions): Promise<Page<SessionResource>>;
  /** Mounts a file, or a repository if the service supports that for an existing session. */
  addResource(
    id: string,
    params: FileResourceParams | RepositoryResourceParams,
    options?: CallOptions,
  ): Promise<CallResult<SessionResource>>;
  retrieveResource(id: string, resourceId: string, options?: CallOptions): Promise<CallResult<SessionResource>>;
  /** Replaces the token of a repository. No other field of a resource can be changed. */
  rotateToken(id: string, resourceId: string, token: string, options?: CallOptions): Promise<CallResult<SessionResource>>;
  removeResource(id: string, resourceId: string, options?: CallOptions): Promise<CallResult<Deleted>>;
  /** Lists the files that a session created: the service's files with its scope (API facts, section 12). */
  listFiles(id: string, options?: ListOptions): Promise<Page<ServiceFile>>;
}

/**
 * Agents and their versions (API facts, section 10). An update publishes a new version. It contains the `version` that it is based on; if
 * that is no longer the latest, the service returns 409. Arrays are replaced as a whole, `null` clears a field. An archived agent can't be
 * updated or start a session.
 */
export interface Agents extends Omit<Crud<Agent, { readonly includeArchived?: boolean }>, 'delete'> {
  /** Returns the requested version, by default the latest. */
  retrieve(id: string, options?: CallOptions & { readonly version?: number }): Promise<CallResult<Agent>>;
  /** Lists the versions, newest first. */
  versions(id: string, options?: ListOptions): Promise<Page<Agent>>;
}

/** Environments (API facts, section 11). An update replaces the given fields. The service does not detect concurrent updates. */
export interface Environments extends Crud<Environment, { readonly includeArchived?: boolean }> {
  /** Returns the work queue of a self-hosted environment. */
  work(id: string): WorkQueue;
}

/** Work queue of a self-hosted environment. Can't poll for work: only workers do. */
export interface WorkQueue extends Pick<Crud<WorkItem>, 'list' | 'retrieve'> {
  stats(options?: CallOptions): Promise<CallResult<WorkQueueStats>>;
  /** Asks the worker to end an item. With `force`, the item counts as ended immediately. */
  stop(workId: string, options?: CallOptions & { readonly force?: boolean }): Promise<CallResult<WorkItem>>;
}

/** Options of an upload, which is never retried. `onProgress` reports the number of bytes sent of the whole body. */
export interface UploadOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** Filters of a list of deployments. The service accepts only one of `status` and `includeArchived`. */
export interface DeploymentFilters {
  readonly agentId?: string;
  readonly status?: string;
  readonly includeArchived?: boolean;
}

export interface DeploymentRunFilters {
  readonly deploymentId?: string;
  readonly triggerType?: 'schedule' | 'manual';
  readonly hasError?: boolean;
  /** RFC 3339 timestamp. */
  readonly createdSince?: string;
  readonly createdUntil?: string;
}

/**
 * Deployments: templates that create sessions on a schedule or on request (API facts, section 14). An update replaces the given fields. The
 * service does not detect concurrent updates. An archived deployment creates no more sessions.
 */
export interface Deployments extends Omit<Crud<Deployment, DeploymentFilters>, 'delete'> {
  /** Stops the schedule until `unpause`. Idempotent. */
  pause(id: string, options?: CallOptions): Promise<CallResult<Deployment>>;
  unpause(id: string, options?: CallOptions): Promise<CallResult<Deployment>>;
  /** Creates a session now, even while the deployment is paused. Never retried. A run without a session is a result too, not an error. */
  run(id: string, options?: CallOptions): Promise<CallResult<DeploymentRun>>;
  /** Runs of all deployments, newest first. */
  readonly runs: Pick<Crud<DeploymentRun, DeploymentRunFilters>, 'list' | 'retrieve'>;
}

/** File to upload. `name` is its base name. */
export interface FileUpload {
  readonly name: string;
  readonly mediaType?: string;
  readonly content: StreamedBody;
  /** 3,600 to 7,776,000. Only services of the newer shape support it. */
  readonly expiresInSeconds?: number;
}

/** Files of the service: uploaded by users or created by sessions (API facts, section 12). */
export interface Files extends Pick<Crud<ServiceFile, { readonly sessionId?: string }>, 'list' | 'retrieve' | 'delete'> {
  /** Uploads one file as a stream. Never retried. */
  upload(file: FileUpload, options?: UploadOptions): Promise<CallResult<ServiceFile>>;
  /** Returns the bytes of a file. A service may refuse them for an upload: see `downloadable`. */
  content(id: string, options?: CallOptions): Promise<ByteStream>;
}

/** Vaults: collections of credentials that sessions use (API facts, section 16). Archiving a vault archives its credentials. */
export interface Vaults extends Crud<Vault, { readonly includeArchived?: boolean }> {
  credentials(vaultId: string): Credentials;
}

/**
 * Credentials of a vault. Their secrets can only be written: no result and no error of these calls contains them. An update can't change
 * the kind or the server, nor the name of a secret.
 */
export interface Credentials extends Crud<Credential, { readonly includeArchived?: boolean }> {
  /** Makes the service validate the token of an OAuth credential and its refresh with the server. */
  validate(id: string, options?: CallOptions): Promise<CallResult<CredentialValidation>>;
}

/** Endpoints that receive events from the service (API facts, section 17). A signing secret is returned only once, when it is created. */
export interface Webhooks extends Pick<Crud<Webhook>, 'list' | 'retrieve' | 'update' | 'delete'> {
  create(params: object, options?: CallOptions): Promise<CallResult<CreatedWebhook>>;
  /** Returns the new secret. For a while, deliveries are also signed with the old one. */
  regenerateSecret(id: string, options?: CallOptions): Promise<CallResult<string>>;
}

/** File of a skill. `path` starts with the one top folder: `my-skill/scripts/run.py`. */
export interface SkillFile {
  readonly path: string;
  readonly mediaType?: string | undefined;
  readonly content: StreamedBody;
}

/**
 * Skills (API facts, section 13). All files are in one top folder, which contains a `SKILL.md`. A title has at most 255 characters. In the
 * older shape, no two custom skills may have the same title.
 */
export interface Skills extends Pick<Crud<Skill, { readonly source?: string }>, 'list' | 'retrieve' | 'delete'> {
  /** Creates a skill with its first version from a streamed upload. */
  create(upload: { readonly files: readonly SkillFile[]; readonly title?: string }, options?: UploadOptions): Promise<CallResult<Skill>>;
  versions(id: string): SkillVersions;
}

/** Versions of a skill, each identified by its `versionKey`. The name in `SKILL.md` is the same in all of them. */
export interface SkillVersions extends Pick<Crud<SkillVersion>, 'list' | 'retrieve' | 'delete'> {
  /** Creates a version from its complete list of files, in a streamed upload. */
  create(files: readonly SkillFile[], options?: UploadOptions): Promise<CallResult<SkillVersion>>;
  /** Returns the files as a zip archive, which must not be trusted. */
  content(version: string, options?: CallOptions): Promise<ByteStream>;
}

/** The service over HTTP. `close` closes all its connections. A closed client must not be used. */
export interface ServiceClient {
  readonly baseUrl: string;
  readonly batches: MessageBatches;
  readonly models: Models;
  readonly messages: Messages;
  readonly sessions: Sessions;
  readonly agents: Agents;
  readonly environments: Environments;
  readonly deployments: Deployments;
  readonly files: Files;
  readonly vaults: Vaults;
  readonly webhooks: Webhooks;
  readonly memoryStores: MemoryStores;
  readonly skills: Skills;
  /** Waits for running calls and closes each connection afterwards. For a client whose settings are outdated. */
  retire(): Promise<void>;
  close(): Promise<void>;
}
