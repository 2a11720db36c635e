import type { StreamedBody } from '../contract/streamedBody';
import type { Crud } from './resources/crud';
import type { MemoryStores } from './resources/memoryStores';
import type { Agent } from './schemas/agents';
import type { Deployment, DeploymentRun } from './schemas/deployments';
import type { Environment, WorkItem, WorkQueueStats } from './schemas/environments';
import type { ServiceFile } from './schemas/files';
import type { MessageBatch } from './schemas/messageBatches';
import type { MessageStreamEvent } from './schemas/messageStreamEventSchema';
import type { Message } from './schemas/messages';
import type { Model } from './schemas/models';
import type { SessionEvent } from './schemas/sessionEvents';
import type { FileResourceParams, RepositoryResourceParams, SessionParams, SessionPatch } from './schemas/sessionParams';
import type { Deleted, Session, SessionResource, SessionThread } from './schemas/sessions';
import type { Skill, SkillVersion } from './schemas/skills';
import type { Credential, CredentialValidation, Vault } from './schemas/vaults';
import type { MadeWebhook, Webhook } from './schemas/webhooks';
import type { Answer, BodyPlace, ByteStream, CallOptions, ListOptions, Page, ResumableStream } from './transport/answer';

/** Message batches (contract, `POST /v1/messages/batches` and the paths under it). */
export interface MessageBatches extends Pick<Crud<MessageBatch>, 'list' | 'retrieve' | 'delete'> {
  /**
   * Creates a batch from a streamed `{"requests":[...]}` body. Never sent a second time: a failure says in its `outcome`
   * whether the service can have applied it. An error of `body` itself is thrown as it is; its last bytes then never left, so
   * the service has no whole request to apply. Throws a `MismatchError` with outcome `unknown` if the response can't be a batch that was
   * created just now with `requestCount` requests.
   */
  create(body: StreamedBody, options?: CreateBatchOptions): Promise<Answer<MessageBatch>>;
  /** Asks for cancellation; the batch stays `canceling` until its running requests have ended. */
  cancel(id: string, options?: CallOptions): Promise<Answer<MessageBatch>>;
  /**
   * The results file as bytes; with `from`, from there on when the service can and its file is still the same, else from the start. The
   * path is built from the id on the connection's base URL; `results_url` is never followed. With `once` nothing is tried again here:
   * the caller does that.
   */
  results(id: string, options?: CallOptions & { readonly from?: BodyPlace | undefined; readonly once?: boolean }): Promise<ResumableStream>;
}

export interface CreateBatchOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
  /** Number of requests in the body, compared with the service's count. */
  readonly requestCount?: number;
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

/** Sessions and what is nested under them (contract, Session; API facts, sections 7 to 9). An archived session takes no more events. */
export interface Sessions extends Crud<Session, SessionFilters> {
  create(params: SessionParams, options?: CallOptions): Promise<Answer<Session>>;
  update(id: string, params: SessionPatch, options?: CallOptions): Promise<Answer<Session>>;
  /** Sends events in this order; answers them as stored, with their ids. */
  send(id: string, events: readonly object[], options?: CallOptions): Promise<Answer<readonly SessionEvent[]>>;
  events(id: string): EventLog;
  threadEvents(id: string, threadId: string): EventLog;
  listThreads(id: string, options?: ListOptions): Promise<Page<SessionThread>>;
  retrieveThread(id: string, threadId: string, options?: CallOptions): Promise<Answer<SessionThread>>;
  archiveThread(id: string, threadId: string, options?: CallOptions): Promise<Answer<SessionThread>>;
  listResources(id: string, options?: ListOptions): Promise<Page<SessionResource>>;
  /** Mounts a file, or a repository where the service takes one into a session that is there already. */
  addResource(id: string, params: FileResourceParams | RepositoryResourceParams, options?: CallOptions): Promise<Answer<SessionResource>>;
  retrieveResource(id: string, resourceId: string, options?: CallOptions): Promise<Answer<SessionResource>>;
  /** Gives a repository a new token, which is all that can be changed of a resource. */
  rotateToken(id: string, resourceId: string, token: string, options?: CallOptions): Promise<Answer<SessionResource>>;
  removeResource(id: string, resourceId: string, options?: CallOptions): Promise<Answer<Deleted>>;
  /** The files that a session made: those of the service whose scope it is (API facts, section 12). */
  listFiles(id: string, options?: ListOptions): Promise<Page<ServiceFile>>;
}

/**
 * Agents and their versions (API facts, section 10). An update publishes a new version: it holds the `version` it was based on, and
 * when that is no longer the latest the service answers 409. Arrays are replaced whole, `null` clears a field. An archived agent takes
 * no update and starts no session.
 */
export interface Agents extends Omit<Crud<Agent, { readonly includeArchived?: boolean }>, 'delete'> {
  /** The latest version, or the one asked for. */
  retrieve(id: string, options?: CallOptions & { readonly version?: number }): Promise<Answer<Agent>>;
  /** Newest first. */
  versions(id: string, options?: ListOptions): Promise<Page<Agent>>;
}

/** Environments (API facts, section 11). An update replaces the parts it gives; there is no version that guards it. */
export interface Environments extends Crud<Environment, { readonly includeArchived?: boolean }> {
  /** What waits for the machines of an environment whose sessions run on the user's own. */
  work(id: string): WorkQueue;
}

/** The work of a self-hosted environment, seen from outside: polling for it is the worker's business. */
export interface WorkQueue extends Pick<Crud<WorkItem>, 'list' | 'retrieve'> {
  stats(options?: CallOptions): Promise<Answer<WorkQueueStats>>;
  /** Asks the worker to end an item; with `force` it is taken as ended whatever the worker says. */
  stop(workId: string, options?: CallOptions & { readonly force?: boolean }): Promise<Answer<WorkItem>>;
}

/** Options of an upload, which is sent once and never again by itself. `onProgress` counts the bytes of the whole body. */
export interface UploadOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** Filters of a list of deployments. The service takes `status` and `includeArchived` only one at a time. */
export interface DeploymentFilters {
  readonly agentId?: string;
  readonly status?: string;
  readonly includeArchived?: boolean;
}

/** Filters of a list of runs. */
export interface DeploymentRunFilters {
  readonly deploymentId?: string;
  readonly triggerType?: 'schedule' | 'manual';
  readonly hasError?: boolean;
  /** RFC 3339. */
  readonly createdSince?: string;
  readonly createdUntil?: string;
}

/**
 * Deployments: what sessions are made of again and again, by a clock or when somebody asks (API facts, section 14). An update replaces the
 * parts it gives; there is no version that guards it. An archived deployment makes no session any more.
 */
export interface Deployments extends Omit<Crud<Deployment, DeploymentFilters>, 'delete'> {
  /** Its clock makes no sessions until `unpause`; again: nothing changes. */
  pause(id: string, options?: CallOptions): Promise<Answer<Deployment>>;
  unpause(id: string, options?: CallOptions): Promise<Answer<Deployment>>;
  /** Makes a session now, also while it is paused. Sent once and never again by itself; that no session could be made is an answer too. */
  run(id: string, options?: CallOptions): Promise<Answer<DeploymentRun>>;
  /** What deployments made so far, newest first. */
  readonly runs: Pick<Crud<DeploymentRun, DeploymentRunFilters>, 'list' | 'retrieve'>;
}

/** A file to be uploaded; `name` is its base name. */
export interface FileUpload {
  readonly name: string;
  readonly mediaType?: string;
  readonly content: StreamedBody;
  /** From 3,600 to 7,776,000; only services of the newer shape know it. */
  readonly expiresInSeconds?: number;
}

/** Files of the service: uploaded ones, and those that sessions made (API facts, section 12). */
export interface Files extends Pick<Crud<ServiceFile, { readonly sessionId?: string }>, 'list' | 'retrieve' | 'delete'> {
  /** Uploads one file, streamed. Sent once and never again by itself. */
  upload(file: FileUpload, options?: UploadOptions): Promise<Answer<ServiceFile>>;
  /** The bytes of a file. Of an upload a service may refuse them, as its `downloadable` says. */
  content(id: string, options?: CallOptions): Promise<ByteStream>;
}

/** Vaults: collections of credentials that sessions use (API facts, section 16). Archiving one archives its credentials. */
export interface Vaults extends Crud<Vault, { readonly includeArchived?: boolean }> {
  credentials(vaultId: string): Credentials;
}

/**
 * The credentials of a vault. What is secret in them is written and never read: no answer and no error of these calls has it. An update
 * changes neither the kind, the server nor the name of a secret.
 */
export interface Credentials extends Crud<Credential, { readonly includeArchived?: boolean }> {
  /** Has the service try the token of an OAuth credential at its server, and its refresh. */
  validate(id: string, options?: CallOptions): Promise<Answer<CredentialValidation>>;
}

/** Endpoints that the service tells of events (API facts, section 17). A signing secret is told once, when it is made. */
export interface Webhooks extends Pick<Crud<Webhook>, 'list' | 'retrieve' | 'update' | 'delete'> {
  create(params: object, options?: CallOptions): Promise<Answer<MadeWebhook>>;
  /** Answers the new secret; for a while deliveries are signed with the old one too. */
  regenerateSecret(id: string, options?: CallOptions): Promise<Answer<string>>;
}

/** A file of a skill; `path` begins with the one top folder: `my-skill/scripts/run.py`. */
export interface SkillFile {
  readonly path: string;
  readonly mediaType?: string | undefined;
  readonly content: StreamedBody;
}

/**
 * Skills (API facts, section 13). All files are in one top folder, which has a `SKILL.md`. A title is at most 255 characters long; in the
 * older shape no two custom skills have the same.
 */
export interface Skills extends Pick<Crud<Skill, { readonly source?: string }>, 'list' | 'retrieve' | 'delete'> {
  /** Makes a skill with its first version, streamed. */
  create(upload: { readonly files: readonly SkillFile[]; readonly title?: string }, options?: UploadOptions): Promise<Answer<Skill>>;
  versions(id: string): SkillVersions;
}

/** The versions of a skill, each named by its `versionKey`. The name in `SKILL.md` stays the same in all of them. */
export interface SkillVersions extends Pick<Crud<SkillVersion>, 'list' | 'retrieve' | 'delete'> {
  /** Makes a version out of all files that it shall have, streamed. */
  create(files: readonly SkillFile[], options?: UploadOptions): Promise<Answer<SkillVersion>>;
  /** Its files as a zip archive, which is not to be trusted. */
  content(version: string, options?: CallOptions): Promise<ByteStream>;
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
  readonly deployments: Deployments;
  readonly files: Files;
  readonly vaults: Vaults;
  readonly webhooks: Webhooks;
  readonly memoryStores: MemoryStores;
  readonly skills: Skills;
  /** Lets what is under way end and keeps no connection after that: for a client whose settings are out of date. */
  retire(): Promise<void>;
  close(): Promise<void>;
}
