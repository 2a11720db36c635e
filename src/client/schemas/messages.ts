import * as z from 'zod';

/** Token counts of one message. Any further bucket the service reports is kept. */
export const usageSchema = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  service_tier: z.string().nullish(),
});
export type Usage = z.infer<typeof usageSchema>;

/** One block of an answer; which of the other fields there are depends on `type`, unknown ones are kept. */
export const contentBlockSchema = z.looseObject({
  type: z.string().default(''),
  /** `text` blocks. */
  text: z.string().nullish(),
  /** `thinking` blocks. */
  thinking: z.string().nullish(),
  /** `tool_use`, `server_tool_use` and `mcp_tool_use` blocks. */
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
  /** Result blocks of tools the service runs. */
  tool_use_id: z.string().nullish(),
  content: z.unknown().optional(),
});
export type ContentBlock = z.infer<typeof contentBlockSchema>;

/** A message the model produced. Unknown block types and fields are kept. */
export const messageSchema = z.looseObject({
  id: z.string().optional(),
  type: z.string().optional(),
  role: z.string().optional(),
  model: z.string().optional(),
  content: z.array(contentBlockSchema).default([]),
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  usage: usageSchema.nullish(),
});
export type Message = z.infer<typeof messageSchema>;
