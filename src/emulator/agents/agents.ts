import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import { countOf, createdNames, cursorPage, limitOf, refuseUnknownNames } from '../http/listQuery';
import type { ServerStyle } from '../http/serverStyle';
import { patched, toTime, toTimeOrNull } from '../http/toWire';
import { RecordStore, recordShape, type StoreContext } from '../state/recordStore';
import {
  type AgentReferenceParams,
  type CreateAgentParams,
  checkTools,
  createAgentSchema,
  type DelegatesParams,
  type RosterParams,
  toModel,
  toTool,
  type UpdateAgentParams,
  updateAgentSchema,
  type WorkflowsParams,
} from './agentParams';

/** One version of an agent, without its times. */
export const definitionSchema = z.object({
  name: z.string(),
  description: z.string().nullable(),
  model: z.looseObject({ id: z.string(), speed: z.string(), effort: z.object({ type: z.string() }) }),
  system: z.string().nullable(),
  tools: z.array(z.looseObject({ type: z.string() })),
  mcp_servers: z.array(z.looseObject({ type: z.string(), name: z.string(), url: z.string() })),
  skills: z.array(z.looseObject({ type: z.string(), skill_id: z.string(), version: z.string() })),
  multiagent: z.looseObject({ type: z.string(), agents: z.array(z.looseObject({ type: z.string() })).optional() }).nullable(),
  metadata: z.record(z.string(), z.string()),
});
type AgentDefinition = Readonly<z.infer<typeof definitionSchema>>;

const recordSchema = z.object({
  ...recordShape,
  archivedAt: z.number().nullable(),
  /** Oldest first. The version number is the 1-based index. */
  versions: z.array(z.object({ updatedAt: z.number(), definition: definitionSchema })).min(1),
});
type AgentRecord = Readonly<z.infer<typeof recordSchema>>;

const emptyDefinition: AgentDefinition = {
  name: '',
  description: null,
  model: toModel(''),
  system: null,
  tools: [],
  mcp_servers: [],
  skills: [],
  multiagent: null,
  metadata: {},
};

export type WireAgent = ReturnType<typeof toAgent>;

/** Agents of the emulator with all their versions (API facts, section 10). */
export class Agents extends RecordStore<AgentRecord> {
  constructor(
    context: StoreContext,
    /** `type` of the vendor's own skills in the dialect. */
    private readonly vendorSkillType: string,
  ) {
    super(context, { folder: 'agents', noun: 'Agent', prefix: 'agent_', schema: recordSchema });
  }

  /** Returns one version in its response form, by default the latest. Throws a 404 for an unknown version. */
  version(id: string, version?: number): WireAgent {
    return toAgent(this.get(id), version);
  }

  create(params: CreateAgentParams): AgentRecord {
    const id = this.newId();
    return this.add({ versions: [this.#newVersion({ id, version: 1 }, params)] }, id);
  }

  /**
   * Creates a new version by applying a patch to the latest. A patch without changes creates no version. Throws a 409 of `conflictType` if
   * `version` is not the latest, and a 400 for an archived agent.
   */
  update(id: string, version: number, params: UpdateAgentParams, conflictType: string): AgentRecord {
    const record = this.active(id, 'updated');
    const old = record.versions.at(-1);
    if (version !== record.versions.length) {
      throw new ApiError(conflictType, 'Agent version does not match current version', { status: 409 });
    }
    const created = this.#newVersion({ id, version: version + 1 }, params, old?.definition);
    return isDeepStrictEqual(created.definition, old?.definition)
      ? record
      : this.put({ ...record, versions: [...record.versions, created] });
  }

  #newVersion(self: Self, params: UpdateAgentParams, old = emptyDefinition): AgentRecord['versions'][number] {
    return { updatedAt: this.context.clock.now(), definition: this.changed(old, params, self) };
  }

  /** Returns `old` with the changes in `params`. Throws a 400 that names the field. */
  changed(old: AgentDefinition, params: UpdateAgentParams, self: Self): AgentDefinition {
    const { name, description, model, system, tools, mcp_servers: servers, skills, multiagent, metadata } = params;
    const definition: AgentDefinition = {
      name: name ?? old.name,
      description: description === undefined ? old.description : description || null,
      model: model === undefined ? old.model : toModel(model),
      system: system === undefined ? old.system : system || null,
      tools: tools === undefined ? old.tools : (tools ?? []).map(toTool),
      mcp_servers: servers === undefined ? old.mcp_servers : (servers ?? []),
      skills: skills === undefined ? old.skills : this.#toSkills(skills ?? []),
      multiagent: multiagent === undefined ? old.multiagent : this.#toRoster(multiagent, self, old.multiagent),
      metadata: patched(old.metadata, metadata),
    };
    checkTools(definition.tools, definition.mcp_servers);
    return definition;
  }

  /** Converts skills to their response form. Throws a 400 for a type that the dialect does not have. */
  #toSkills(skills: NonNullable<UpdateAgentParams['skills']>): AgentDefinition['skills'] {
    return skills.map(({ type, skill_id: id, version }, at) => {
      if (type !== 'custom' && type !== this.vendorSkillType) {
        throw invalidRequest(`skills.${at}.type: must be custom or ${this.vendorSkillType}`);
      }
      return { type, skill_id: id, version: version ?? 'latest' };
    });
  }

  /** Pins every entry of a roster to a version. Throws a 400 for an agent that is missing or archived. */
  #toRoster(roster: RosterParams | null, self: Self, old: AgentDefinition['multiagent']): AgentDefinition['multiagent'] {
    if (roster === null) {
      return null;
    }
    if (roster.type === 'multiagent_20261001') {
      return this.#toWorkflows(roster, self, old?.type === roster.type ? (old as unknown as WorkflowsParams) : undefined);
    }
    const agents = roster.agents.map((entry, at) =>
      typeof entry !== 'string' && entry.type === 'advisor' ? entry : this.#toPinned(entry, self, `multiagent.agents.${at}`),
    );
    return { type: 'coordinator', agents };
  }

  /** Fills in missing values from the stored value of the same type, or else from the defaults. */
  #toWorkflows(params: WorkflowsParams, self: Self, old: WorkflowsParams | undefined): AgentDefinition['multiagent'] {
    const delegates = (name: 'subagents' | 'workflows') => {
      const given = params[name] ?? old?.[name] ?? { type: 'enabled' };
      const before = old?.[name];
      if (given.type === 'disabled') {
        return given;
      }
      const merged: DelegatesParams = { ...(before?.type === 'enabled' ? before : {}), ...withoutEmpty(given) };
      return {
        type: 'enabled',
        inline_agents: merged.inline_agents ?? { type: 'enabled' },
        predefined_agents: (merged.predefined_agents ?? []).map((entry, at) =>
          this.#toPinned(entry, self, `multiagent.${name}.predefined_agents.${at}`),
        ),
      };
    };
    const advisor = params.advisor ?? old?.advisor ?? { type: 'disabled' };
    return { type: params.type, advisor, subagents: delegates('subagents'), workflows: delegates('workflows') };
  }

  #toPinned(entry: string | AgentReferenceParams | { readonly type: 'self' }, self: Self, field: string) {
    if (typeof entry !== 'string' && entry.type === 'self') {
      return { type: 'agent' as const, ...self };
    }
    const { id, version } = this.reference(entry, field);
    return { type: 'agent' as const, id, version };
  }

  /** Returns the version that an id, or an id with a version, refers to. Throws a 400 that names the field. */
  reference(given: string | AgentReferenceParams, field: string): WireAgent {
    const { id, version } = typeof given === 'string' ? { id: given, version: undefined } : given;
    const record = this.find(id);
    if (record === undefined) {
      throw invalidRequest(`${field}: agent not found: ${id}`);
    }
    if (record.archivedAt !== null) {
      throw invalidRequest(`${field}: agent ${id} is archived`);
    }
    if (version !== undefined && version !== null && version > record.versions.length) {
      throw invalidRequest(`${field}: agent ${id} has no version ${version}`);
    }
    return toAgent(record, version ?? undefined);
  }
}

/** Converts a version of an agent to its response form, by default the latest. Throws a 404 for an unknown version. */
function toAgent(record: AgentRecord, version = record.versions.length) {
  const found = record.versions[version - 1];
  if (found === undefined) {
    throw new ApiError('not_found_error', `Agent ${record.id} has no version ${version}`);
  }
  return {
    id: record.id,
    type: 'agent' as const,
    version,
    ...found.definition,
    created_at: toTime(record.createdAt),
    updated_at: toTime(found.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

/** Version being created. Entries of type `self` in the agent refer to this version. */
type Self = Pick<WireAgent, 'id' | 'version'>;

/** Returns an object without the fields that are null or undefined. */
function withoutEmpty<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;
}

const limits = { normal: 20, most: 100 };
const largestBody = 4 * 1024 * 1024;

export function agentRoutes(agents: Agents, style: () => ServerStyle): readonly Route[] {
  const path = '/v1/agents';
  return [
    ...kindRoutes({
      name: 'agents',
      path,
      type: 'agent',
      members: agents,
      limits,
      filters: ['include_archived', ...createdNames],
      show: (record, { query }, isAlone) => toAgent(record, isAlone ? countOf(query, 'version') : undefined),
      create: async exchange => agents.create(await exchange.parsed(createAgentSchema, largestBody)),
      update: async (exchange, id) => {
        const { version, ...params } = await exchange.parsed(updateAgentSchema, largestBody);
        if (version === undefined) {
          throw invalidRequest('version is required');
        }
        return agents.update(id, version, params, style().conflictType);
      },
    }),
    routesBelow('agents', path)('GET', 'versions', '/:id/versions', async (exchange, id) => {
      const { query, dialect } = exchange;
      if (dialect === 'contract') {
        refuseUnknownNames(query, []);
      }
      const record = agents.get(id);
      // All versions have the same id. On a page, their version number identifies them.
      const newestFirst = record.versions.map((_, at) => ({ id: String(record.versions.length - at) }));
      const page = cursorPage(newestFirst, query, { limit: limitOf(query, limits) });
      await exchange.sendJson({ ...page, data: page.data.map(version => toAgent(record, Number(version.id))) });
    }),
  ];
}
