import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { metadataPatchSchema, metadataSchema } from '../http/toWire';

const policySchema = z.object({ type: z.enum(['always_allow', 'always_ask', 'auto']) });
const levels = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const levelSchema = z.enum(levels);

const modelParamsSchema = z.union([
  z.string().min(1).max(256),
  z.object({
    id: z.string().min(1).max(256),
    effort: z.union([levelSchema, z.object({ type: levelSchema })]).nullish(),
    inference_geo: z.string().nullish(),
    speed: z.enum(['standard', 'fast']).nullish(),
  }),
]);

const toolsetDefaultSchema = z.object({ enabled: z.boolean().nullish(), permission_policy: policySchema.nullish() }).nullish();

const configsSchema = <S extends z.ZodType<string>>(name: S) =>
  z.array(z.object({ name, enabled: z.boolean().nullish(), permission_policy: policySchema.nullish() })).nullish();

const toolParamsSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('agent_toolset_20260401'),
    configs: configsSchema(z.enum(['bash', 'edit', 'read', 'write', 'glob', 'grep', 'web_fetch', 'web_search'])),
    default_config: toolsetDefaultSchema,
  }),
  z.object({
    type: z.literal('mcp_toolset'),
    mcp_server_name: z.string().min(1).max(255),
    configs: configsSchema(z.string().min(1).max(128)),
    default_config: toolsetDefaultSchema,
  }),
  z.object({
    type: z.literal('custom'),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
    description: z.string().min(1),
    input_schema: z.looseObject({ type: z.literal('object') }),
  }),
]);
type ToolParams = z.infer<typeof toolParamsSchema>;
export const toolListSchema = z.array(toolParamsSchema).max(128);

export const serverListSchema = z
  .array(z.object({ type: z.literal('url'), name: z.string().min(1).max(255), url: z.string().min(1).max(2048) }))
  .max(20);

const skillListSchema = z
  .array(
    z.object({
      type: z.enum(['custom', 'vendor', 'anthropic']),
      skill_id: z.string().min(1).max(64),
      version: z.string().min(1).max(64).nullish(),
    }),
  )
  .max(64);

export const agentReferenceSchema = z.object({
  type: z.literal('agent'),
  id: z.string().min(1).max(128),
  version: z.int().min(1).nullish(),
});
export type AgentReferenceParams = z.infer<typeof agentReferenceSchema>;

const coordinatorSchema = z.object({
  type: z.literal('coordinator'),
  agents: z
    .array(
      z.union([
        z.string().min(1).max(128),
        z.discriminatedUnion('type', [
          agentReferenceSchema,
          z.object({ type: z.literal('self') }),
          z.object({ type: z.literal('advisor'), model: z.string().min(1).max(256) }),
        ]),
      ]),
    )
    .min(1)
    .max(20),
});

const switchSchema = z.object({ type: z.enum(['enabled', 'disabled']) });
/** One kind of delegation. `inline_agents` are defined during the run, `predefined_agents` beforehand. */
const delegatesSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('enabled'),
    inline_agents: switchSchema.nullish(),
    predefined_agents: z
      .array(z.union([z.string().min(1).max(128), agentReferenceSchema, z.object({ type: z.literal('self') })]))
      .max(20)
      .nullish(),
  }),
  z.object({ type: z.literal('disabled') }),
]);
export type DelegatesParams = z.infer<typeof delegatesSchema>;
/** Newer form of `multiagent` (API facts, section 19): workflows, sub-agents and an advisor, each on or off. */
const workflowsSchema = z.object({
  type: z.literal('multiagent_20261001'),
  advisor: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('enabled'), model: z.string().min(1).max(256) }),
      z.object({ type: z.literal('disabled') }),
    ])
    .nullish(),
  subagents: delegatesSchema.nullish(),
  workflows: delegatesSchema.nullish(),
});
const rosterSchema = z.discriminatedUnion('type', [coordinatorSchema, workflowsSchema]);
export type RosterParams = z.infer<typeof rosterSchema>;
export type WorkflowsParams = z.infer<typeof workflowsSchema>;

/** Body of a create (API facts, section 10). Unknown fields are ignored. */
export const createAgentSchema = z.object({
  name: z.string().min(1).max(256),
  description: z.string().max(2048).nullish(),
  model: modelParamsSchema,
  system: z.string().max(100_000).nullish(),
  tools: toolListSchema.nullish(),
  mcp_servers: serverListSchema.nullish(),
  skills: skillListSchema.nullish(),
  multiagent: rosterSchema.nullish(),
  metadata: metadataSchema.optional(),
});
export type CreateAgentParams = z.infer<typeof createAgentSchema>;

/** Body of an update. Absent fields stay unchanged, null clears, arrays are replaced, and `metadata` is a patch. */
export const updateAgentSchema = createAgentSchema.partial().extend({
  version: z.int().min(1).optional(),
  metadata: metadataPatchSchema.optional(),
});
export type UpdateAgentParams = Omit<z.infer<typeof updateAgentSchema>, 'version'>;

/** Agent fields that a session can override for itself (API facts, section 7). */
export const agentOverridesSchema = z.object({
  model: modelParamsSchema.optional(),
  system: createAgentSchema.shape.system,
  tools: toolListSchema.optional(),
  mcp_servers: serverListSchema.optional(),
  skills: skillListSchema.optional(),
});

/** Converts a model to its response form: always an object, with speed and effort. */
export function toModel(params: z.infer<typeof modelParamsSchema>) {
  const { id, effort, speed, inference_geo: geo } = typeof params === 'string' ? { id: params } : params;
  const level = typeof effort === 'string' ? effort : (effort?.type ?? 'high');
  return {
    id,
    speed: speed ?? ('standard' as const),
    effort: { type: level },
    ...(geo === undefined || geo === null ? {} : { inference_geo: geo }),
  };
}

type Policy = z.infer<typeof policySchema>;

/** Converts a tool to its response form. Permissions become explicit: built-in tools are allowed, tools of MCP servers need approval. */
export function toTool(params: ToolParams) {
  if (params.type === 'custom') {
    const { type, name, description, input_schema: schema } = params;
    return { type, name, description, input_schema: schema };
  }
  const defaultPolicy: Policy = { type: params.type === 'mcp_toolset' ? 'always_ask' : 'always_allow' };
  const standard = {
    enabled: params.default_config?.enabled ?? true,
    permission_policy: params.default_config?.permission_policy ?? defaultPolicy,
  };
  const configs = (params.configs ?? []).map(({ name, enabled, permission_policy: policy }) => ({
    name,
    enabled: enabled ?? standard.enabled,
    permission_policy: policy ?? standard.permission_policy,
  }));
  return params.type === 'mcp_toolset'
    ? { type: params.type, mcp_server_name: params.mcp_server_name, configs, default_config: standard }
    : { type: params.type, configs, default_config: standard };
}

interface StoredTool {
  readonly type: string;
  readonly name?: unknown;
  readonly mcp_server_name?: unknown;
}

/** Throws a 400 if a name is repeated or an MCP server has no toolset (API facts, section 10). */
export function checkTools(tools: readonly StoredTool[], servers: readonly { readonly name: string }[]): void {
  const names = tools.flatMap(tool => (tool.type === 'custom' ? [tool.name] : []));
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) {
    throw invalidRequest(`tools: "${duplicate}" is defined more than once`);
  }
  const serverNames = servers.map(server => server.name);
  const doubled = serverNames.findIndex((name, at) => serverNames.indexOf(name) !== at);
  if (doubled >= 0) {
    throw invalidRequest(`mcp_servers.${doubled}.name: "${serverNames[doubled]}" is defined more than once`);
  }
  const used = tools.flatMap(tool => (tool.type === 'mcp_toolset' ? [tool.mcp_server_name] : []));
  const idle = serverNames.findIndex(name => !used.includes(name));
  if (idle >= 0) {
    throw invalidRequest(`mcp_servers.${idle}.name: "${serverNames[idle]}" is not referenced by an mcp_toolset in tools`);
  }
  const missing = tools.findIndex(tool => tool.type === 'mcp_toolset' && !serverNames.some(name => name === tool.mcp_server_name));
  if (missing >= 0) {
    throw invalidRequest(`tools.${missing}.mcp_server_name: there is no such entry in mcp_servers`);
  }
}
