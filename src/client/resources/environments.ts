import { environmentSchema } from '../schemas/environments';
import { deletedSchema } from '../schemas/sessions';
import type { Environments } from '../serviceClient';
import type { Call, Transport } from '../transport';
import { callForObject, callForPage, filterQuery, jsonBody, pathSegment } from './resource';

const path = '/environments';

/** Environments over a transport (API facts, section 11). */
export function createEnvironments(transport: Transport): Environments {
  const call = (rest: Omit<Call, 'group' | 'path'>, below = ''): Call => ({ ...rest, group: 'environments', path: `${path}${below}` });
  const item = (id: string, action = '') => `/${pathSegment(id)}${action}`;
  return {
    create: async (params, options) =>
      callForObject(transport, environmentSchema, call({ method: 'POST', body: jsonBody(params), signal: options?.signal })),
    list: async options =>
      callForPage(
        transport,
        environmentSchema,
        { group: 'environments', path, query: filterQuery({ include_archived: options?.includeArchived }) },
        options,
      ),
    retrieve: async (id, options) =>
      callForObject(transport, environmentSchema, call({ method: 'GET', signal: options?.signal }, item(id))),
    archive: async (id, options) =>
      callForObject(transport, environmentSchema, call({ method: 'POST', signal: options?.signal }, item(id, '/archive'))),
    delete: async (id, options) => callForObject(transport, deletedSchema, call({ method: 'DELETE', signal: options?.signal }, item(id))),
  };
}
