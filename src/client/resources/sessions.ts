import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { type EventLog, type SessionEvent, sentEventsSchema, sessionEventSchema } from '../events/eventLog';
import { readSessionEvents } from '../events/streamedEvents';
import { eventStream } from '../transport/callHead';
import type { CallOptions, CallResult, ListOptions } from '../transport/callResult';
import { changeableFields, identity, optionalNumbers, optionalTexts, timeFields } from '../transport/commonFields';
import { ServiceError } from '../transport/errors';
import type { Transport } from '../transport/transport';
import { agentSnapshotSchema } from './agents';
import { type ArchiveFilter, createCrud } from './crud';
import { createFiles } from './files';
import { callForOutcome, callForPage, filterQuery, jsonBody } from './resource';

/** Amount of money: `amount` is whole cents of `currency` as text (API facts, section 7). */
const monetaryAmountSchema = z.looseObject({ amount: z.string(), currency: z.string().nullish() });
type MonetaryAmount = z.infer<typeof monetaryAmountSchema>;

/** Cumulative token counts of a session or a thread. An absent count is unknown, not 0. */
const sessionUsageSchema = z.looseObject({
  ...optionalNumbers('input_tokens', 'output_tokens', 'cache_read_input_tokens', 'active_seconds'),
  cache_creation: z
    .looseObject({ ephemeral_1h_input_tokens: z.number().nullish(), ephemeral_5m_input_tokens: z.number().nullish() })
    .nullish(),
  list_cost: monetaryAmountSchema.nullish(),
  server_tool_use: z.looseObject({ web_search_requests: z.number().nullish(), web_fetch_requests: z.number().nullish() }).nullish(),
});
export type SessionUsage = z.infer<typeof sessionUsageSchema>;

const sessionStatsSchema = z.looseObject(optionalNumbers('duration_seconds', 'active_seconds', 'startup_seconds'));

/** Spending limit of a session: `{type: "limit", max_list_cost}`. Any other shape is accepted (contract: not shown). */
export const budgetSchema = z.looseObject({ type: z.string().nullish(), max_list_cost: monetaryAmountSchema.nullish() });
export type Budget = z.infer<typeof budgetSchema>;

/** Judgement of the service on one outcome (contract, Outcome evaluation). `result` is any string. */
const outcomeEvaluationSchema = z.looseObject({
  ...optionalTexts('type', 'outcome_id', 'description', 'result', 'completed_at', 'explanation'),
  iteration: z.number().nullish(),
});

/**
 * Resource mounted into a session: `file`, a repository or `memory_store`. Any other `type` is accepted. A mounted memory store has no `id`
 * of its own (API facts, section 7). A repository never contains its token.
 */
const sessionResourceSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('id', 'file_id', 'url', 'memory_store_id', 'name', 'instructions', 'mount_path', 'created_at', 'updated_at'),
  checkout: z.looseObject({ type: z.string().nullish(), name: z.string().nullish(), sha: z.string().nullish() }).nullish(),
  /** `read_write`, `read_only` or any other string. */
  access: z.string().nullish(),
});
export type SessionResource = z.infer<typeof sessionResourceSchema>;

/**
 * Session (contract, Session). Only `id` is required, because servers leave fields out. `status` can be any string. The contract names
 * `rescheduling`, `running`, `idle` and `terminated`. Only `archived_at` says that a session is archived, never `status`.
 */
const sessionSchema = z.looseObject({
  ...identity('session'),
  ...optionalTexts('status', 'title', 'environment_id', 'deployment_id'),
  ...changeableFields,
  agent: agentSnapshotSchema.nullish(),
  resources: z.array(sessionResourceSchema).nullish(),
  vault_ids: z.array(z.string()).nullish(),
  usage: sessionUsageSchema.nullish(),
  stats: sessionStatsSchema.nullish(),
  budget: budgetSchema.nullish(),
  outcome_evaluations: z.array(outcomeEvaluationSchema).nullish(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Thread of a session. Every session has one primary thread, whose `parent_thread_id` is null. */
const sessionThreadSchema = z.looseObject({
  ...identity('session_thread'),
  ...optionalTexts('session_id', 'status', 'parent_thread_id'),
  agent: z.looseObject({ id: z.string().nullish(), name: z.string().nullish(), type: z.string().nullish() }).nullish(),
  ...timeFields,
  usage: sessionUsageSchema.nullish(),
  stats: sessionStatsSchema.nullish(),
});
export type SessionThread = z.infer<typeof sessionThreadSchema>;

/** Parameters of a new session (API facts, section 7, CreateSessionParams). The service chooses the value of an absent field. */
export interface SessionParams {
  /** Agent of the session. An id without a version means the latest version. */
  readonly agent: string | AgentChoice;
  /** Absent if the service has no environments. */
  readonly environment_id?: string | undefined;
  /** At most 500 characters. */
  readonly title?: string | null;
  /** At most 500 resources, including at most 8 memory stores. */
  readonly resources?: readonly (FileResourceParams | RepositoryResourceParams | MemoryStoreResourceParams)[];
  readonly vault_ids?: readonly string[];
  /** Can be set at creation only. */
  readonly budget?: SessionBudget;
}

/** Agent, with overrides for one session if its type says so. Absent fields stay unchanged, and `system: null` clears the prompt. */
interface AgentChoice {
  readonly type: 'agent' | 'agent_with_overrides';
  readonly id: string;
  readonly version?: number;
  readonly model?: string;
  /** At most 100,000 characters. */
  readonly system?: string | null;
}

export interface FileResourceParams {
  readonly type: 'file';
  readonly file_id: string;
  /** At most 4,096 characters. If absent, the service chooses a path. */
  readonly mount_path?: string;
}

/** Repository. Its token is secret, and no response contains it. */
export interface RepositoryResourceParams {
  /** Type name in the dialect of the service (`Dialect.repositoryType`). */
  readonly type: string;
  /** At most 2,048 characters. */
  readonly url: string;
  /** 1 to 4,096 characters. */
  readonly authorization_token: string;
  readonly mount_path?: string;
  /** If absent, the default branch is used. */
  readonly checkout?: RepositoryCheckout;
}

/** Branch with a name of 1 to 255 characters, or commit given by 7 to 64 hexadecimal digits. */
export type RepositoryCheckout = { readonly type: 'branch'; readonly name: string } | { readonly type: 'commit'; readonly sha: string };

/** Memory store. Can be mounted at creation only. */
export interface MemoryStoreResourceParams {
  readonly type: 'memory_store';
  readonly memory_store_id: string;
  readonly access?: MemoryAccess;
  /** Explanation of the store for the agent. At most 4,096 characters. */
  readonly instructions?: string;
}

export type MemoryAccess = 'read_write' | 'read_only';

/** Spending limit: `amount` is whole US cents in digits, without leading zeros. */
export interface SessionBudget {
  readonly type: 'limit';
  readonly max_list_cost: MonetaryAmount & { readonly currency: 'USD' };
}

/**
 * Change of a session (API facts, section 7, UpdateSessionParams). A budget must exceed the cost so far. Null removes the budget for good.
 */
interface SessionPatch {
  readonly title?: string | null;
  readonly budget?: SessionBudget | null;
}

/** Filters of a list of sessions (API facts, section 7). A service ignores an unknown filter or returns 400. */
export interface SessionFilters extends ArchiveFilter {
  readonly agentId?: string;
  /** Valid only together with `agentId`. */
  readonly agentVersion?: number;
  readonly statuses?: readonly string[];
  /** RFC 3339 timestamp. */
  readonly createdSince?: string;
  readonly order?: 'asc' | 'desc';
}

const group = 'sessions';
const filters = {
  agentId: 'agent_id',
  agentVersion: 'agent_version',
  statuses: 'statuses',
  createdSince: 'created_at[gte]',
  includeArchived: 'include_archived',
  order: 'order',
};

/**
 * Creates the calls for sessions and their events, threads and resources (contract: Session; API facts: sections 7 to 9). An archived
 * session accepts no more events.
 */
export function createSessions(transport: Transport) {
  const { calls: sessions, below } = createCrud<typeof sessionSchema, SessionFilters>(transport, {
    group,
    path: '/sessions',
    schema: sessionSchema,
    type: 'session',
    filters,
    secretsOf: tokensIn,
    unanswered: ['agent', 'environment_id', 'initial_events'],
  });
  const files = createFiles(transport);
  const threads = (id: string) =>
    createCrud(transport, {
      group,
      path: below(id, '/threads'),
      schema: sessionThreadSchema,
      type: 'session_thread',
      within: { session_id: id },
    });
  const resources = (id: string) =>
    createCrud(transport, { group, path: below(id, '/resources'), schema: sessionResourceSchema, secretsOf: tokensIn }).calls;
  return {
    ...sessions,
    create: async (params: SessionParams, options?: CallOptions) => sessions.create(params, options),
    update: async (id: string, params: SessionPatch, options?: CallOptions) => sessions.update(id, params, options),
    /** Sends events in this order. Returns the stored events with their ids. */
    send: async (id: string, events: readonly object[], options?: CallOptions): Promise<CallResult<readonly SessionEvent[]>> => {
      const call = { method: 'POST', group, path: below(id, '/events'), about: { within: { session_id: id } } } as const;
      const request = { ...call, body: jsonBody({ events }), signal: options?.signal };
      const { data, requestId } = await callForOutcome(transport, sentEventsSchema, request, () => ({}));
      return { data: data.data ?? [], requestId };
    },
    events: (id: string) => createLog(transport, id, below(id, '/events'), below(id, '/events/stream')),
    threadEvents: (id: string, threadId: string) =>
      createLog(transport, id, threads(id).below(threadId, '/events'), threads(id).below(threadId, '/stream')),
    listThreads: async (id: string, options?: ListOptions) => {
      const page = await threads(id).calls.list(options);
      return { ...page, items: page.items.map(thread => withParent(thread, id)) };
    },
    retrieveThread: async (id: string, threadId: string, options?: CallOptions) => {
      const answer = await threads(id).calls.retrieve(threadId, options);
      return { ...answer, data: withParent(answer.data, id) };
    },
    archiveThread: async (id: string, threadId: string, options?: CallOptions) => threads(id).calls.archive(threadId, options),
    listResources: async (id: string, options?: ListOptions) => resources(id).list(options),
    /** Mounts a file, or a repository if the service supports that for an existing session. */
    addResource: async (id: string, params: FileResourceParams | RepositoryResourceParams, options?: CallOptions) =>
      resources(id).create(params, options),
    retrieveResource: async (id: string, resourceId: string, options?: CallOptions) => resources(id).retrieve(resourceId, options),
    /** Replaces the token of a repository. No other field of a resource can be changed. */
    rotateToken: async (id: string, resourceId: string, token: string, options?: CallOptions) =>
      resources(id).update(resourceId, { authorization_token: token }, options),
    removeResource: async (id: string, resourceId: string, options?: CallOptions) => resources(id).delete(resourceId, options),
    /** Lists the service's files whose scope is the session (API facts, section 12). */
    listFiles: async (id: string, options?: ListOptions) => files.list({ ...options, sessionId: id }),
  };
}
export type Sessions = ReturnType<typeof createSessions>;

/** Returns the tokens in the parameters of a resource, a session or a deployment. */
export function tokensIn(params: unknown): readonly string[] {
  const { authorization_token: token, resources } = isRecord(params) ? params : {};
  return [...(typeof token === 'string' ? [token] : []), ...(Array.isArray(resources) ? resources.flatMap(tokensIn) : [])];
}

/** Sets a missing `parent_thread_id` of the main thread to null. The ids of a session and its main thread end alike: `sesn_1`, `sthr_1`. */
function withParent(thread: SessionThread, sessionId: string): SessionThread {
  const isMain = sessionId.includes('_') && thread.id.endsWith(sessionId.slice(sessionId.indexOf('_')));
  return thread.parent_thread_id === undefined && isMain ? { ...thread, parent_thread_id: null } : thread;
}

/** Returns whether a service refused a page of events because of the requested order. */
function isOrderRefused(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422) && /\border\b/i.test(error.serviceMessage ?? '');
}

/** Creates the event log for the paths of the list and the stream. A thread's stream is not below its list (API facts, section 7). */
function createLog(transport: Transport, sessionId: string, eventsPath: string, streamPath: string): EventLog {
  const about = { within: { session_id: sessionId } };
  let isOrdered = true;
  const page = (options: Parameters<EventLog['list']>[0]) => {
    const order = isOrdered ? options?.order : undefined;
    const query = filterQuery({ order, types: options?.types, 'created_at[gte]': options?.createdSince });
    return callForPage(transport, sessionEventSchema, { group, path: eventsPath, about, query }, options);
  };
  return {
    list: async options => {
      try {
        return await page(options);
      } catch (error) {
        if (options?.order === undefined || !isOrdered || !isOrderRefused(error)) {
          throw error;
        }
        // The direction of a page follows from its events.
        isOrdered = false;
        return await page(options);
      }
    },
    stream: async options =>
      readSessionEvents(
        await transport.stream({
          method: 'GET',
          group,
          path: streamPath,
          accept: eventStream,
          once: true,
          lastEventId: options?.lastEventId,
          query: filterQuery({ event_deltas: options?.previews }),
          signal: options?.signal,
        }),
        { about },
      ),
  };
}
