import * as z from 'zod';
import { metadataSchema, optionalTexts, timeFields } from './commonFields';

/** Model of an agent and its speed and effort (contract, Agent snapshot; API facts, section 10). */
export const modelConfigSchema = z.looseObject({
  id: z.string().min(1),
  ...optionalTexts('speed', 'inference_geo'),
  effort: z.unknown().optional(),
});

/**
 * One entry of an agent's `tools`: `agent_toolset_20260401`, `mcp_toolset` or `custom`. Any other `type` is accepted. The other fields
 * depend on `type`.
 */
export const agentToolSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('name', 'description', 'mcp_server_name'),
});

const agentShape = {
  id: z.string().min(1),
  type: z.string().default('agent'),
  version: z.number().nullish(),
  ...optionalTexts('name', 'description', 'system'),
  /** The service returns an object. Some services return only the id. */
  model: z.union([z.string(), modelConfigSchema]).nullish(),
  tools: z.array(agentToolSchema).nullish(),
  mcp_servers: z.array(z.looseObject({ type: z.string().nullish(), name: z.string().nullish(), url: z.string().nullish() })).nullish(),
  skills: z.array(z.looseObject({ type: z.string().nullish(), skill_id: z.string().nullish(), version: z.string().nullish() })).nullish(),
  multiagent: z.unknown().optional(),
};

/** Agent as it was when a session was created (contract, Agent snapshot). Only `id` is required. */
export const agentSnapshotSchema = z.looseObject(agentShape);
export type AgentSnapshot = z.infer<typeof agentSnapshotSchema>;

/** One version of an agent (API facts, section 10). Only `id` is required; unknown fields are preserved. */
export const agentSchema = z.looseObject({
  ...agentShape,
  metadata: metadataSchema.nullish(),
  ...timeFields,
});
export type Agent = z.infer<typeof agentSchema>;
