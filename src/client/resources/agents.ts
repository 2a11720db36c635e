import { agentSchema } from '../schemas/agents';
import type { Agents } from '../serviceClient';
import type { CallOptions } from '../transport/answer';
import type { Call, Transport } from '../transport/transport';
import { callForObject, callForOutcome, callForPage, filterQuery, jsonBody, pathSegment } from './resource';

const path = '/agents';

/** Agents and their versions over a transport (API facts, section 10). */
export function createAgents(transport: Transport): Agents {
  const call = (rest: Omit<Call, 'group' | 'path'>, below = ''): Call => ({ ...rest, group: 'agents', path: `${path}${below}` });
  const item = (id: string, action = '') => `/${pathSegment(id)}${action}`;
  const read = async (id: string, options?: CallOptions & { readonly version?: number }) =>
    callForObject(
      transport,
      agentSchema,
      call({ method: 'GET', query: filterQuery({ version: options?.version }), signal: options?.signal }, item(id)),
    );
  return {
    create: async (params, options) =>
      callForObject(transport, agentSchema, call({ method: 'POST', creates: true, body: jsonBody(params), signal: options?.signal })),
    list: async options =>
      callForPage(
        transport,
        agentSchema,
        { group: 'agents', path, query: filterQuery({ include_archived: options?.includeArchived }) },
        options,
      ),
    retrieve: read,
    update: async (id, params, options) =>
      callForOutcome(
        transport,
        agentSchema,
        call({ method: 'POST', body: jsonBody(params), signal: options?.signal }, item(id)),
        async () => (await read(id, { signal: options?.signal })).data,
      ),
    archive: async (id, options) =>
      callForOutcome(
        transport,
        agentSchema,
        call({ method: 'POST', signal: options?.signal }, item(id, '/archive')),
        async () => (await read(id, { signal: options?.signal })).data,
      ),
    versions: async (id, options) =>
      callForPage(transport, agentSchema, { group: 'agents', path: `${path}${item(id, '/versions')}` }, options),
  };
}
