import { deploymentRunSchema, deploymentSchema } from '../schemas/deployments';
import type { DeploymentFilters, DeploymentRunFilters, Deployments } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject } from './resource';
import { tokensIn } from './sessions';

const group = 'deployments';

/** Creates the calls for deployments and their runs (API facts, section 14). */
export function createDeployments(transport: Transport): Deployments {
  const deployments = createCrud<typeof deploymentSchema, DeploymentFilters>(transport, {
    group,
    path: '/deployments',
    type: 'deployment',
    schema: deploymentSchema,
    secretsOf: tokensIn,
    filters: { agentId: 'agent_id', status: 'status', includeArchived: 'include_archived' },
  });
  const runs = createCrud<typeof deploymentRunSchema, DeploymentRunFilters>(transport, {
    group,
    path: '/deployment_runs',
    type: 'deployment_run',
    schema: deploymentRunSchema,
    filters: {
      deploymentId: 'deployment_id',
      triggerType: 'trigger_type',
      hasError: 'has_error',
      createdSince: 'created_at[gte]',
      createdUntil: 'created_at[lte]',
    },
  });
  return {
    ...deployments,
    pause: async (id, options) => deployments.act(id, 'pause', undefined, options),
    unpause: async (id, options) => deployments.act(id, 'unpause', undefined, options),
    run: async (id, options) =>
      callForObject(transport, deploymentRunSchema, {
        method: 'POST',
        group,
        path: deployments.below(id, '/run'),
        about: { ...runs.about(), within: { deployment_id: id } },
        creates: true,
        signal: options?.signal,
      }),
    runs,
  };
}
