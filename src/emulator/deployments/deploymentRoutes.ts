import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { kindRoutes, unlessArchived } from '../http/kindRoutes';
import { choiceOf, createdFilter, createdNames, flagOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { createDeploymentSchema, updateDeploymentSchema } from './deploymentParams';
import { type DeploymentRecord, toDeployment, toDeploymentRun } from './deploymentRecord';
import type { DeploymentState } from './deploymentState';

const path = '/v1/deployments';

/**
 * Returns the routes of `/v1/deployments`, the paths below it, and `/v1/deployment_runs` (API facts, section 14). `strict` refuses unknown
 * filters, as the contract does.
 */
export function deploymentRoutes(deployments: DeploymentState, strict: boolean): readonly Route[] {
  const show = (record: DeploymentRecord) => toDeployment(record, deployments.upcoming(record));
  const route = routesBelow('deployments', path, 'deployments');
  const act = (verb: string, run: (id: string) => object | Promise<object>): Route =>
    route('POST', verb, `/:id/${verb}`, async (exchange, id) => exchange.sendJson(await run(id)));
  const table = {
    group: 'deployments',
    path,
    limits: { normal: 20, most: 100 },
    filters: ['agent_id', 'status', 'include_archived', ...createdNames],
    create: (body: unknown) => show(deployments.create(checkBody(createDeploymentSchema, body))),
    list: (query: URLSearchParams) => {
      const status = choiceOf(query, 'status', ['active', 'paused']);
      if (status !== undefined && flagOf(query, 'include_archived')) {
        throw invalidRequest('status: cannot be combined with include_archived');
      }
      const agentId = query.get('agent_id');
      const isCreated = createdFilter(query);
      return unlessArchived(query, deployments.list())
        .filter(({ agent, createdAt }) => (agentId === null || agent.id === agentId) && isCreated(createdAt))
        .map(show)
        .filter(one => status === undefined || one.status === status);
    },
    retrieve: (id: string) => show(deployments.get(id)),
    update: (id: string, body: unknown) => show(deployments.update(id, checkBody(updateDeploymentSchema, body))),
    archive: (id: string) => show(deployments.archive(id)),
  } as const;
  const runs = {
    group: 'deployments',
    name: 'deployments.runs',
    path: '/v1/deployment_runs',
    limits: { normal: 20, most: 1000 },
    filters: ['deployment_id', 'trigger_type', 'has_error', ...createdNames],
    list: (query: URLSearchParams) => {
      const deploymentId = query.get('deployment_id');
      const trigger = choiceOf(query, 'trigger_type', ['schedule', 'manual']);
      const hasError = query.has('has_error') ? flagOf(query, 'has_error') : undefined;
      const isCreated = createdFilter(query);
      return deployments
        .runs()
        .filter(run => (deploymentId === null || run.deploymentId === deploymentId) && isCreated(run.createdAt))
        .filter(run => hasError === undefined || (run.error !== null) === hasError)
        .map(toDeploymentRun)
        .filter(run => trigger === undefined || run.trigger_context.type === trigger);
    },
    retrieve: (id: string) => toDeploymentRun(deployments.run(id)),
  } as const;
  return [
    ...kindRoutes(table, strict),
    act('pause', id => show(deployments.pause(id))),
    act('unpause', id => show(deployments.unpause(id))),
    act('run', async id => toDeploymentRun(await deployments.runNow(id))),
    ...kindRoutes(runs, strict),
  ];
}
