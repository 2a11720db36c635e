import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { flagOf, limitOf, refuseUnknownNames } from '../http/listFilters';
import { cursorPage } from '../http/paging';
import type { Route } from '../http/router';
import { createEnvironmentSchema, type EnvironmentState, toEnvironment, updateEnvironmentSchema } from '../state/environmentState';

const largestBody = 1024 * 1024;

interface EnvironmentRouteParts {
  readonly environments: EnvironmentState;
  /** Whether a session that is not archived runs in the environment. */
  readonly isUsed: (id: string) => boolean;
  /** Refuses unknown filters, as the contract does. */
  readonly strict: boolean;
}

/** `/v1/environments` and the paths under it, without the work of self-hosted runners (API facts, section 11). */
export function environmentRoutes({ environments, isUsed, strict }: EnvironmentRouteParts): readonly Route[] {
  const path = '/v1/environments';
  return [
    {
      name: 'environments.create',
      method: 'POST',
      path,
      beta: 'environments',
      handle: async exchange =>
        exchange.sendJson(toEnvironment(environments.create(checkBody(createEnvironmentSchema, await exchange.json(largestBody))))),
    },
    {
      name: 'environments.list',
      method: 'GET',
      path,
      beta: 'environments',
      handle: async exchange => {
        const { query } = exchange;
        if (strict) {
          refuseUnknownNames(query, ['include_archived']);
        }
        const withArchived = flagOf(query, 'include_archived');
        const found = environments.list().filter(record => withArchived || record.archivedAt === null);
        await exchange.sendJson(cursorPage(found.map(toEnvironment), query, { limit: limitOf(query, { normal: 20, most: 1000 }) }));
      },
    },
    {
      name: 'environments.retrieve',
      method: 'GET',
      path: `${path}/:id`,
      beta: 'environments',
      handle: async (exchange, id) => exchange.sendJson(toEnvironment(environments.get(id))),
    },
    {
      name: 'environments.update',
      method: 'POST',
      path: `${path}/:id`,
      beta: 'environments',
      handle: async (exchange, id) => {
        environments.get(id);
        const params = checkBody(updateEnvironmentSchema, await exchange.json(largestBody));
        await exchange.sendJson(toEnvironment(environments.update(id, params)));
      },
    },
    {
      name: 'environments.archive',
      method: 'POST',
      path: `${path}/:id/archive`,
      beta: 'environments',
      handle: async (exchange, id) => exchange.sendJson(toEnvironment(environments.archive(id))),
    },
    {
      name: 'environments.delete',
      method: 'DELETE',
      path: `${path}/:id`,
      beta: 'environments',
      handle: async (exchange, id) => {
        environments.get(id);
        if (isUsed(id)) {
          throw invalidRequest('Environment has active work');
        }
        await environments.delete(id);
        await exchange.sendJson({ id, type: 'environment_deleted' });
      },
    },
  ];
}
