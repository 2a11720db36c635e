import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { kindRoutes, unlessArchived } from '../http/kindRoutes';
import type { Route } from '../http/matchRoute';
import { createEnvironmentSchema, type EnvironmentState, toEnvironment, updateEnvironmentSchema } from './environmentState';
import { type WorkState, workRoutes } from './work';

export interface EnvironmentParts {
  readonly environments: EnvironmentState;
  readonly work: WorkState;
  /** Returns whether a session that is not archived runs in the environment. */
  readonly isUsed: (id: string) => boolean;
  /** Refuses unknown filters, as the contract does. */
  readonly strict: boolean;
}

/** Returns the routes of `/v1/environments` and the paths below it (API facts, section 11). */
export function environmentRoutes({ environments, work, isUsed, strict }: EnvironmentParts): readonly Route[] {
  const table = {
    group: 'environments',
    path: '/v1/environments',
    filters: ['include_archived'],
    create: (body: unknown) => toEnvironment(environments.create(checkBody(createEnvironmentSchema, body))),
    list: (query: URLSearchParams) => unlessArchived(query, environments.list()).map(toEnvironment),
    retrieve: (id: string) => toEnvironment(environments.get(id)),
    update: (id: string, body: unknown) => toEnvironment(environments.update(id, checkBody(updateEnvironmentSchema, body))),
    archive: (id: string) => toEnvironment(environments.archive(id)),
    delete: async (id: string) => {
      if (isUsed(id)) {
        throw invalidRequest('Environment has active work');
      }
      await environments.delete(id);
      return 'environment_deleted';
    },
  } as const;
  return [...kindRoutes(table, strict), ...workRoutes({ environments, work, strict })];
}
