import * as z from 'zod';
import { createAgentSchema, updateAgentSchema } from '../agents/agentParams';
import { type AgentState, toAgent } from '../agents/agentState';
import { invalidRequest } from '../http/apiError';
import { checkBody } from '../http/bodyCheck';
import { countOf, createdFilter, createdNames, flagOf, limitOf, refuseUnknownNames } from '../http/listFilters';
import { cursorPage } from '../http/paging';
import type { Route } from '../http/router';
import type { ServerStyle } from '../http/serverStyle';

const largestBody = 4 * 1024 * 1024;
const limits = { normal: 20, most: 100 };
const baseSchema = z.object({ version: z.int().min(1) });

/** `/v1/agents` and the paths under it (API facts, section 10). `strict` refuses unknown filters, as the contract does. */
export function agentRoutes(agents: AgentState, style: () => ServerStyle, strict: boolean): readonly Route[] {
  const path = '/v1/agents';
  return [
    {
      name: 'agents.create',
      method: 'POST',
      path,
      beta: 'agents',
      handle: async exchange => exchange.sendJson(agents.create(checkBody(createAgentSchema, await exchange.json(largestBody)))),
    },
    {
      name: 'agents.list',
      method: 'GET',
      path,
      beta: 'agents',
      handle: async exchange => {
        const { query } = exchange;
        if (strict) {
          refuseUnknownNames(query, ['include_archived', ...createdNames]);
        }
        const isCreated = createdFilter(query);
        const withArchived = flagOf(query, 'include_archived');
        const found = agents
          .list()
          .filter(({ archivedAt, createdAt }) => (withArchived || archivedAt === null) && isCreated(createdAt))
          .map(record => toAgent(record));
        await exchange.sendJson(cursorPage(found, query, { limit: limitOf(query, limits) }));
      },
    },
    {
      name: 'agents.retrieve',
      method: 'GET',
      path: `${path}/:id`,
      beta: 'agents',
      handle: async (exchange, id) => exchange.sendJson(agents.version(id, countOf(exchange.query, 'version'))),
    },
    {
      name: 'agents.update',
      method: 'POST',
      path: `${path}/:id`,
      beta: 'agents',
      handle: async (exchange, id) => {
        agents.get(id);
        const body = await exchange.json(largestBody);
        const base = baseSchema.safeParse(body);
        if (!base.success) {
          throw invalidRequest('version is required');
        }
        const params = checkBody(updateAgentSchema, body);
        await exchange.sendJson(agents.update(id, base.data.version, params, style().conflictType));
      },
    },
    {
      name: 'agents.archive',
      method: 'POST',
      path: `${path}/:id/archive`,
      beta: 'agents',
      handle: async (exchange, id) => exchange.sendJson(agents.archive(id)),
    },
    {
      name: 'agents.versions',
      method: 'GET',
      path: `${path}/:id/versions`,
      beta: 'agents',
      handle: async (exchange, id) => {
        const { query } = exchange;
        if (strict) {
          refuseUnknownNames(query, []);
        }
        const record = agents.get(id);
        const newestFirst = record.versions.map((_, at) => toAgent(record, record.versions.length - at));
        await exchange.sendJson(versionPage(newestFirst, query));
      },
    },
  ];
}

/** All versions of an agent have the same id: for a page they are told apart by their number. */
function versionPage(versions: readonly { readonly version: number }[], query: URLSearchParams): object {
  const entries = versions.map(agent => ({ id: String(agent.version), agent }));
  const page = cursorPage(entries, query, { limit: limitOf(query, limits) }) as {
    readonly data: typeof entries;
    readonly next_page: unknown;
  };
  return { ...page, data: page.data.map(({ agent }) => agent) };
}
