import { environmentSchema } from '../schemas/environments';
import { deletedSchema } from '../schemas/sessions';
import type { Environments } from '../serviceClient';
import type { CallOptions } from '../transport/answer';
import type { Call, Transport } from '../transport/transport';
import { callForObject, callForOutcome, callForPage, filterQuery, jsonBody, pathSegment } from './resource';

const path = '/environments';

/** Environments over a transport (API facts, section 11). */
export function createEnvironments(transport: Transport): Environments {
  const call = (rest: Omit<Call, 'group' | 'path'>, below = ''): Call => ({ ...rest, group: 'environments', path: `${path}${below}` });
  const item = (id: string, action = '') => `/${pathSegment(id)}${action}`;
  const read = async (id: string, options?: CallOptions) =>
    callForObject(transport, environmentSchema, call({ method: 'GET', signal: options?.signal }, item(id)));
  return {
    create: async (params, options) =>
      callForObject(transport, environmentSchema, call({ method: 'POST', creates: true, body: jsonBody(params), signal: options?.signal })),
    list: async options =>
      callForPage(
        transport,
        environmentSchema,
        { group: 'environments', path, query: filterQuery({ include_archived: options?.includeArchived }) },
        options,
      ),
    retrieve: read,
    archive: async (id, options) =>
      callForOutcome(
        transport,
        environmentSchema,
        call({ method: 'POST', signal: options?.signal }, item(id, '/archive')),
        async () => (await read(id, options)).data,
      ),
    delete: async (id, options) =>
      callForOutcome(transport, deletedSchema, call({ method: 'DELETE', signal: options?.signal }, item(id)), () => ({ id })),
  };
}
