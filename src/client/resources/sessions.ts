import { isRecord } from '../../shared/isRecord';
import { readSessionEvents } from '../events/streamedEvents';
import { sentEventsSchema, sessionEventSchema } from '../schemas/sessionEvents';
import { type SessionThread, sessionResourceSchema, sessionSchema, sessionThreadSchema } from '../schemas/sessions';
import type { EventLog, Sessions } from '../serviceClient';
import { eventStream } from '../transport/callHead';
import { ServiceError } from '../transport/errors';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { createFiles } from './files';
import { callForOutcome, callForPage, filterQuery, jsonBody } from './resource';

const group = 'sessions';
const filters = {
  agentId: 'agent_id',
  agentVersion: 'agent_version',
  statuses: 'statuses',
  createdSince: 'created_at[gte]',
  createdBefore: 'created_at[lt]',
  includeArchived: 'include_archived',
  order: 'order',
};

/** Creates the calls for sessions and their events, threads and resources (contract: Session; API facts: sections 7 to 9). */
export function createSessions(transport: Transport): Sessions {
  const sessions = createCrud(transport, {
    group,
    path: '/sessions',
    schema: sessionSchema,
    type: 'session',
    filters,
    secretsOf: tokensIn,
    unanswered: ['agent', 'environment_id', 'initial_events'],
  });
  const { below } = sessions;
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
    createCrud(transport, { group, path: below(id, '/resources'), schema: sessionResourceSchema, secretsOf: tokensIn });
  return {
    ...sessions,
    send: async (id, events, options) => {
      const { data, requestId } = await callForOutcome(
        transport,
        sentEventsSchema,
        {
          ...{ method: 'POST', group, path: below(id, '/events'), about: { within: { session_id: id } } },
          ...{ body: jsonBody({ events }), signal: options?.signal },
        },
        () => ({}),
      );
      return { data: data.data ?? [], requestId };
    },
    events: id => createLog(transport, id, below(id, '/events'), below(id, '/events/stream')),
    threadEvents: (id, threadId) =>
      createLog(transport, id, threads(id).below(threadId, '/events'), threads(id).below(threadId, '/stream')),
    listThreads: async (id, options) => {
      const page = await threads(id).list(options);
      return { ...page, items: page.items.map(thread => withParent(thread, id)) };
    },
    retrieveThread: async (id, threadId, options) => {
      const answer = await threads(id).retrieve(threadId, options);
      return { ...answer, data: withParent(answer.data, id) };
    },
    archiveThread: async (id, threadId, options) => threads(id).archive(threadId, options),
    listResources: async (id, options) => resources(id).list(options),
    addResource: async (id, params, options) => resources(id).create(params, options),
    retrieveResource: async (id, resourceId, options) => resources(id).retrieve(resourceId, options),
    rotateToken: async (id, resourceId, token, options) => resources(id).update(resourceId, { authorization_token: token }, options),
    removeResource: async (id, resourceId, options) => resources(id).delete(resourceId, options),
    listFiles: async (id, options) => files.list({ ...options, sessionId: id }),
  };
}

/** Returns the tokens in the parameters of a resource, a session or a deployment. */
export function tokensIn(params: unknown): readonly string[] {
  const { authorization_token: token, resources } = isRecord(params) ? params : {};
  return [...(typeof token === 'string' ? [token] : []), ...(Array.isArray(resources) ? resources.flatMap(tokensIn) : [])];
}

/** Sets a missing `parent_thread_id` of the main thread to null. The main thread is named like its session: `sthr_1` of `sesn_1`. */
function withParent(thread: SessionThread, sessionId: string): SessionThread {
  const isMain = sessionId.includes('_') && thread.id.endsWith(sessionId.slice(sessionId.indexOf('_')));
  return thread.parent_thread_id === undefined && isMain ? { ...thread, parent_thread_id: null } : thread;
}

/** Returns whether a service refused a page of events because of the requested order. */
function isOrderRefused(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 400 || error.status === 422) && /\border\b/i.test(error.serviceMessage ?? '');
}

/** Creates the event log for two paths. They are irregular: a thread's stream is not below its events (API facts, section 7). */
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
