import { readSessionEvents } from '../events/sessionEvents';
import { sentEventsSchema, sessionEventSchema } from '../schemas/sessionEvents';
import { deletedSchema, sessionResourceSchema, sessionSchema, sessionThreadSchema } from '../schemas/sessions';
import type { EventLog, Sessions } from '../serviceClient';
import type { CallOptions } from '../transport/answer';
import { type Call, eventStream, type Transport } from '../transport/transport';
import { callForObject, callForOutcome, callForPage, filterQuery, jsonBody, pathSegment } from './resource';

const path = '/sessions';
const call = (rest: Omit<Call, 'group' | 'path'>, below = ''): Call => ({ ...rest, group: 'sessions', path: `${path}${below}` });
const list = (below: string, query: Call['query'] = []) => ({ group: 'sessions', path: `${path}${below}`, query }) as const;
const item = (id: string, action = '') => `/${pathSegment(id)}${action}`;
const thread = (id: string, threadId: string, action = '') => item(id, `/threads/${pathSegment(threadId)}${action}`);
const resource = (id: string, resourceId: string) => item(id, `/resources/${pathSegment(resourceId)}`);

/** Sessions, their events, threads and resources over a transport (contract, Session; API facts, sections 7 to 9). */
export function createSessions(transport: Transport): Sessions {
  const read = async (id: string, options?: CallOptions) =>
    callForObject(transport, sessionSchema, call({ method: 'GET', signal: options?.signal }, item(id)));
  const readThread = async (id: string, threadId: string, options?: CallOptions) =>
    callForObject(transport, sessionThreadSchema, call({ method: 'GET', signal: options?.signal }, thread(id, threadId)));
  return {
    create: async (params, options) =>
      callForObject(transport, sessionSchema, call({ method: 'POST', creates: true, body: jsonBody(params), signal: options?.signal })),
    list: async options =>
      callForPage(
        transport,
        sessionSchema,
        list(
          '',
          filterQuery({
            agent_id: options?.agentId,
            agent_version: options?.agentVersion,
            statuses: options?.statuses,
            'created_at[gte]': options?.createdSince,
            'created_at[lt]': options?.createdBefore,
            include_archived: options?.includeArchived,
            order: options?.order,
          }),
        ),
        options,
      ),
    retrieve: read,
    update: async (id, params, options) =>
      callForOutcome(
        transport,
        sessionSchema,
        call({ method: 'POST', body: jsonBody(params), signal: options?.signal }, item(id)),
        async () => (await read(id, options)).data,
      ),
    archive: async (id, options) =>
      callForOutcome(
        transport,
        sessionSchema,
        call({ method: 'POST', signal: options?.signal }, item(id, '/archive')),
        async () => (await read(id, options)).data,
      ),
    delete: async (id, options) =>
      callForOutcome(transport, deletedSchema, call({ method: 'DELETE', signal: options?.signal }, item(id)), () => ({ id })),
    send: async (id, events, options) => {
      const { data, requestId } = await callForOutcome(
        transport,
        sentEventsSchema,
        call({ method: 'POST', body: jsonBody({ events }), signal: options?.signal }, item(id, '/events')),
        () => ({}),
      );
      return { data: data.data ?? [], requestId };
    },
    events: id => createLog(transport, item(id, '/events'), item(id, '/events/stream')),
    threadEvents: (id, threadId) => createLog(transport, thread(id, threadId, '/events'), thread(id, threadId, '/stream')),
    listThreads: async (id, options) => callForPage(transport, sessionThreadSchema, list(item(id, '/threads')), options),
    retrieveThread: readThread,
    archiveThread: async (id, threadId, options) =>
      callForOutcome(
        transport,
        sessionThreadSchema,
        call({ method: 'POST', signal: options?.signal }, thread(id, threadId, '/archive')),
        async () => (await readThread(id, threadId, options)).data,
      ),
    listResources: async (id, options) => callForPage(transport, sessionResourceSchema, list(item(id, '/resources')), options),
    addResource: async (id, params, options) =>
      callForObject(
        transport,
        sessionResourceSchema,
        call({ method: 'POST', creates: true, body: jsonBody(params), signal: options?.signal }, item(id, '/resources')),
      ),
    removeResource: async (id, resourceId, options) =>
      callForOutcome(transport, deletedSchema, call({ method: 'DELETE', signal: options?.signal }, resource(id, resourceId)), () => ({
        id: resourceId,
      })),
  };
}

/** The events at two paths, which are irregular: a thread's stream is not below its events (API facts, section 7). */
function createLog(transport: Transport, eventsPath: string, streamPath: string): EventLog {
  return {
    list: async options =>
      callForPage(
        transport,
        sessionEventSchema,
        list(eventsPath, filterQuery({ order: options?.order, types: options?.types, 'created_at[gte]': options?.createdSince })),
        options,
      ),
    stream: async options =>
      readSessionEvents(
        await transport.stream(
          call(
            {
              method: 'GET',
              accept: eventStream,
              once: true,
              lastEventId: options?.lastEventId,
              query: filterQuery({ event_deltas: options?.previews }),
              signal: options?.signal,
            },
            streamPath,
          ),
        ),
      ),
  };
}
