import { environmentSchema, workItemSchema, workQueueStatsSchema } from '../schemas/environments';
import type { Environments } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject } from './resource';

/** Creates the calls for environments and for the work queue of self-hosted ones (API facts, section 11). */
export function createEnvironments(transport: Transport): Environments {
  const environments = createCrud(transport, {
    group: 'environments',
    path: '/environments',
    type: 'environment',
    schema: environmentSchema,
    filters: { includeArchived: 'include_archived' },
  });
  return {
    ...environments,
    work: id => {
      const path = environments.below(id, '/work');
      const within = { environment_id: id };
      const work = createCrud(transport, { group: 'environments', path, schema: workItemSchema, type: 'work', within });
      return {
        ...work,
        stats: async options =>
          callForObject(transport, workQueueStatsSchema, {
            method: 'GET',
            group: 'environments',
            path: `${path}/stats`,
            about: { type: 'work_queue_stats', within },
            signal: options?.signal,
          }),
        stop: async (workId, options) => work.act(workId, 'stop', { force: options?.force ?? false }, options),
      };
    },
  };
}
