import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError, invalidRequest } from '../http/apiError';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';
import {
  type AgentReferenceParams,
  type CreateAgentParams,
  checkTools,
  type DelegatesParams,
  type RosterParams,
  toModel,
  toTool,
  type UpdateAgentParams,
  type WorkflowsParams,
} from './agentParams';

const definitionSchema = z.object({
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
/** Definition of an agent in the form of the wire. */
export type AgentDefinition = Readonly<z.infer<typeof definitionSchema>>;

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  createdAt: z.number(),
  archivedAt: z.number().nullable(),
  /** Oldest first. The version number is the 1-based index. */
  versions: z.array(z.object({ updatedAt: z.number(), definition: definitionSchema })).min(1),
});
export type AgentRecord = Readonly<z.infer<typeof recordSchema>>;

/** Version of an agent as the service returns it. */
export interface WireAgent extends AgentDefinition {
  readonly id: string;
  readonly type: 'agent';
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
}

interface AgentParts {
  readonly folder: string | undefined;
  readonly clock: EmulatorClock;
  /** Word that the service uses for the vendor's own skills. */
  readonly vendorSkillType: string;
}

/** Agents of the emulator with all their versions (API facts, section 10). */
export class AgentState {
  readonly #records: RecordStore<AgentRecord>;
  readonly #parts: AgentParts;

  private constructor(parts: AgentParts, records: RecordStore<AgentRecord>) {
    this.#parts = parts;
    this.#records = records;
  }

  static async open(parts: AgentParts): Promise<AgentState> {
    const folder = parts.folder === undefined ? undefined : path.join(parts.folder, 'agents');
    return new AgentState(parts, await RecordStore.open<AgentRecord>(folder, recordSchema, 'Agent'));
  }

  get isEmpty(): boolean {
    return this.#records.isEmpty;
  }

  /** Returns all agents, newest first. */
  list(): AgentRecord[] {
    return this.#records.list();
  }

  get(id: string): AgentRecord {
    return this.#records.get(id);
  }

  /** Returns one version in the form of the wire, by default the latest. Throws a 404 if there is none. */
  version(id: string, version?: number): WireAgent {
    return toAgent(this.get(id), version);
  }

  create(params: CreateAgentParams): WireAgent {
    const id = `agent_${randomId(24)}`;
    const createdAt = this.#parts.clock.now();
    const definition: AgentDefinition = {
      name: params.name,
      description: params.description || null,
      model: toModel(params.model),
      system: params.system || null,
      ...this.#toLists(params),
      multiagent: this.#toRoster(params.multiagent, { id, version: 1 }),
      metadata: params.metadata ?? {},
    };
    checkTools(params.tools ?? [], params.mcp_servers ?? []);
    const record = {
      id,
      sequence: this.#records.nextSequence(),
      createdAt,
      archivedAt: null,
      versions: [{ updatedAt: createdAt, definition }],
    };
    return this.#keep(record);
  }

  /**
   * Creates a new version by applying a patch to the latest. A patch that changes nothing keeps the version. Throws a 409 of `conflictType`
   * if `version` is not the latest, and a 400 for an archived agent.
   */
  update(id: string, version: number, params: UpdateAgentParams, conflictType: string): WireAgent {
    const record = this.get(id);
    if (record.archivedAt !== null) {
      throw invalidRequest('archived agents cannot be updated');
    }
    if (version !== record.versions.length) {
      throw new ApiError(conflictType, 'Agent version does not match current version', { status: 409 });
    }
    const old = latest(record).definition;
    const lists = this.#toLists(params);
    const definition: AgentDefinition = {
      name: params.name ?? old.name,
      description: params.description === undefined ? old.description : params.description || null,
      model: params.model === undefined ? old.model : toModel(params.model),
      system: params.system === undefined ? old.system : params.system || null,
      tools: params.tools === undefined ? old.tools : lists.tools,
      mcp_servers: params.mcp_servers === undefined ? old.mcp_servers : lists.mcp_servers,
      skills: params.skills === undefined ? old.skills : lists.skills,
      multiagent:
        params.multiagent === undefined ? old.multiagent : this.#toRoster(params.multiagent, { id, version: version + 1 }, old.multiagent),
      metadata: patched(old.metadata, params.metadata ?? {}),
    };
    // The stored definition has the same shape as the request, with all defaults filled in.
    checkTools(definition.tools as Parameters<typeof checkTools>[0], definition.mcp_servers as Parameters<typeof checkTools>[1]);
    if (isDeepStrictEqual(definition, old)) {
      return toAgent(record);
    }
    return this.#keep({ ...record, versions: [...record.versions, { updatedAt: this.#parts.clock.now(), definition }] });
  }

  /** Archives for good. Idempotent. */
  archive(id: string): WireAgent {
    const record = this.get(id);
    return record.archivedAt === null ? this.#keep({ ...record, archivedAt: this.#parts.clock.now() }) : toAgent(record);
  }

  flush(): Promise<void> {
    return this.#records.flush();
  }

  #keep(record: AgentRecord): WireAgent {
    return toAgent(this.#records.put(record));
  }

  #toLists({ tools, mcp_servers: servers, skills }: UpdateAgentParams): Pick<AgentDefinition, 'tools' | 'mcp_servers' | 'skills'> {
    return { tools: (tools ?? []).map(toTool), mcp_servers: servers ?? [], skills: this.toSkills(skills ?? []) };
  }

  /** Converts skills to their response form. Throws a 400 for a type that the dialect does not have. */
  toSkills(skills: NonNullable<UpdateAgentParams['skills']>): AgentDefinition['skills'] {
    return skills.map(({ type, skill_id: id, version }, at) => {
      if (type !== 'custom' && type !== this.#parts.vendorSkillType) {
        throw invalidRequest(`skills.${at}.type: must be custom or ${this.#parts.vendorSkillType}`);
      }
      return { type, skill_id: id, version: version ?? 'latest' };
    });
  }

  /** Pins every entry of a roster to a version. Throws a 400 for an agent that is missing or archived. */
  #toRoster(roster: RosterParams | null | undefined, self: Self, old: AgentDefinition['multiagent'] = null): AgentDefinition['multiagent'] {
    if (roster === undefined || roster === null) {
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

  /** Fills in what is left out: from the stored value of the same type, then the defaults. */
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
    const record = this.#records.find(id);
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

/** Applies a patch to metadata: null removes an entry. Throws a 400 if more than 16 entries are left. */
export function patched(old: Readonly<Record<string, string>>, patch: Readonly<Record<string, string | null>>): Record<string, string> {
  const entries = new Map(Object.entries(old));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      entries.delete(name);
    } else {
      entries.set(name, value);
    }
  }
  if (entries.size > 16) {
    throw invalidRequest('metadata: At most 16 entries are permitted');
  }
  return Object.fromEntries(entries);
}

/** Converts a version of an agent to the form of the wire, by default the latest. Throws a 404 if there is none. */
export function toAgent(record: AgentRecord, version = record.versions.length): WireAgent {
  const found = record.versions[version - 1];
  if (found === undefined) {
    throw new ApiError('not_found_error', `Agent ${record.id} has no version ${version}`);
  }
  return {
    id: record.id,
    type: 'agent',
    version,
    ...found.definition,
    created_at: toTime(record.createdAt),
    updated_at: toTime(found.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

function latest(record: AgentRecord): AgentRecord['versions'][number] {
  const found = record.versions.at(-1);
  if (found === undefined) {
    throw new Error(`Agent ${record.id} has no version`);
  }
  return found;
}

/** Version that an agent refers to as its own. */
interface Self {
  readonly id: string;
  readonly version: number;
}

/** Returns an object without the fields that are null or undefined. */
function withoutEmpty<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as T;
}
