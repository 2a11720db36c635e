import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { kindRoutes, unlessArchived } from '../http/kindRoutes';
import { countOf, createdFilter, createdNames, limitOf, refuseUnknownNames } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { cursorPage } from '../http/paging';
import type { ServerStyle } from '../http/serverStyle';
import { createAgentSchema, updateAgentSchema } from './agentParams';
import { type AgentState, toAgent } from './agentState';

const limits = { normal: 20, most: 100 };
const baseSchema = z.object({ version: z.int().min(1) });

/**
 * Returns the routes of `/v1/agents` and the paths below it (API facts, section 10). `strict` refuses unknown filters, as the contract
 * does.
 */
export function agentRoutes(agents: AgentState, style: () => ServerStyle, strict: boolean): readonly Route[] {
  const path = '/v1/agents';
  const table = {
    group: 'agents',
    path,
    largestBody: 4 * 1024 * 1024,
    limits,
    filters: ['include_archived', ...createdNames],
    create: (body: unknown) => agents.create(checkBody(createAgentSchema, body)),
    list: (query: URLSearchParams) => {
      const isCreated = createdFilter(query);
      const found = unlessArchived(query, agents.list()).filter(({ createdAt }) => isCreated(createdAt));
      return found.map(record => toAgent(record));
    },
    retrieve: (id: string, query: URLSearchParams) => agents.version(id, countOf(query, 'version')),
    update: (id: string, body: unknown) => {
      const base = baseSchema.safeParse(body);
      if (!base.success) {
        throw invalidRequest('version is required');
      }
      return agents.update(id, base.data.version, checkBody(updateAgentSchema, body), style().conflictType);
    },
    archive: (id: string) => agents.archive(id),
  } as const;
  return [
    ...kindRoutes(table, strict),
    routesBelow('agents', path, 'agents')('GET', 'versions', '/:id/versions', async (exchange, id) => {
      const { query } = exchange;
      if (strict) {
        refuseUnknownNames(query, []);
      }
      const record = agents.get(id);
      const newestFirst = record.versions.map((_, at) => toAgent(record, record.versions.length - at));
      await exchange.sendJson(versionPage(newestFirst, query));
    }),
  ];
}

/** All versions of an agent have the same id. On a page, their version number identifies them. */
function versionPage(versions: readonly { readonly version: number }[], query: URLSearchParams): object {
  const entries = versions.map(agent => ({ id: String(agent.version), agent }));
  const page = cursorPage(entries, query, { limit: limitOf(query, limits) }) as {
    readonly data: typeof entries;
    readonly next_page: unknown;
  };
  return { ...page, data: page.data.map(({ agent }) => agent) };
}
