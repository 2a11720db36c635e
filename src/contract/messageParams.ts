import * as z from 'zod';
import { inputContentBlockSchema, textBlockSchema } from './messageParamsContent';
import { cacheControlSchema, characters, jsonObject, variant, whole } from './messageParamsShapes';
import { toolChoiceSchema, toolSchema } from './messageParamsTools';

/** One conversation turn (contract, InputMessage: no additional properties). */
export const inputMessageSchema = z.strictObject({
  role: z.enum(['user', 'assistant', 'system']),
  // A string is equivalent to one text block. Text blocks are never empty.
  content: z.union([z.string().min(1), z.array(inputContentBlockSchema)]),
});

const thinkingSchema = z.discriminatedUnion('type', [
  variant('enabled', { budget_tokens: whole(1024), display: z.enum(['summarized', 'omitted']).nullish() }),
  variant('disabled'),
  variant('adaptive', { display: z.enum(['summarized', 'omitted']).nullish() }),
]);

const jsonOutputFormat = variant('json_schema', { schema: jsonObject });

const outputConfigSchema = z.looseObject({
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  format: jsonOutputFormat.nullish(),
  task_budget: variant('tokens', { total: whole(1024), remaining: whole(0).nullish() }).nullish(),
});

const speed = () => z.enum(['standard', 'fast']).nullish();

const inputTokens = (minimum: number) => variant('input_tokens', { value: whole(minimum) });
const toolUses = (minimum: number) => variant('tool_uses', { value: whole(minimum) });

const contextEdit = z.discriminatedUnion('type', [
  variant('clear_tool_uses_20250919', {
    clear_at_least: inputTokens(0).nullish(),
    clear_tool_inputs: z.union([z.boolean(), z.array(z.string())]).nullish(),
    exclude_tools: z.array(z.string()).nullish(),
    keep: toolUses(0).optional(),
    trigger: z.discriminatedUnion('type', [inputTokens(1), toolUses(1)]).optional(),
  }),
  variant('clear_thinking_20251015', {
    keep: z
      .union([z.literal('all'), z.discriminatedUnion('type', [variant('thinking_turns', { value: whole(1) }), variant('all')])])
      .optional(),
  }),
  variant('compact_20260112', {
    instructions: z.string().nullish(),
    pause_after_compaction: z.boolean().optional(),
    trigger: inputTokens(1).nullish(),
  }),
]);

const containerSchema = z.union([
  z.string(),
  z.looseObject({
    id: z.string().nullish(),
    skills: z
      .array(
        z.looseObject({
          skill_id: characters(1, 64),
          // The type of the vendor's own skills depends on the dialect.
          type: z.string(),
          version: characters(1, 64).optional(),
        }),
      )
      .max(8)
      .nullish(),
  }),
]);

const fallbackSchema = z.strictObject({
  model: z.string(),
  // The service validates the request with these values of the fallback.
  max_tokens: whole(0).nullish(),
  output_config: outputConfigSchema.nullish(),
  speed: speed(),
  thinking: thinkingSchema.nullish(),
});

const mcpServerSchema = z.strictObject({
  type: z.literal('url'),
  name: z.string(),
  url: z.string(),
  authorization_token: z.string().nullish(),
  tool_configuration: z.looseObject({ allowed_tools: z.array(z.string()).nullish(), enabled: z.boolean().nullish() }).nullish(),
});

/**
 * Parameters of a message creation (contract, CreateMessageParams: no additional properties). If the contract doesn't show a shape, unknown
 * fields are accepted. `user_profile_id` is the body field mentioned in Errors 4 of the contract.
 */
export const messageParamsSchema = z.strictObject({
  model: z.string(),
  messages: z.array(inputMessageSchema).max(100_000),
  max_tokens: whole(0),
  system: z.union([z.string(), z.array(textBlockSchema)]).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_k: whole(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  metadata: z.looseObject({ user_id: characters(0, 512).nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  speed: speed(),
  inference_geo: z.string().nullish(),
  cache_control: cacheControlSchema,
  container: containerSchema.nullish(),
  context_management: z.looseObject({ edits: z.array(contextEdit).optional() }).nullish(),
  diagnostics: z.looseObject({ previous_message_id: characters(0, 256).nullish() }).nullish(),
  fallback_credit_token: z
    .union([characters(1, 2048), z.looseObject({ token: characters(1, 2048), mode: z.enum(['strict', 'best_effort']).optional() })])
    .nullish(),
  fallbacks: z.union([z.literal('default'), z.array(fallbackSchema).min(1).max(3)]).nullish(),
  mcp_servers: z.array(mcpServerSchema).max(20).optional(),
  output_config: outputConfigSchema.optional(),
  output_format: jsonOutputFormat.nullish(),
  thinking: thinkingSchema.optional(),
  tool_choice: toolChoiceSchema.optional(),
  tools: z.array(toolSchema).optional(),
  user_profile_id: z.string().nullish(),
});
