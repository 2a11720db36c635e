import * as z from 'zod';
import { optionalNumbers, optionalTexts } from './commonFields';

/**
 * One event of a streamed message: `message_start`, `content_block_start`, `content_block_delta`, `content_block_stop`, `message_delta`,
 * `message_stop`, `ping`, `error`. Any other type is preserved.
 */
const messageStreamEventSchema = z.looseObject({ type: z.string() });
export type MessageStreamEvent = z.infer<typeof messageStreamEventSchema>;

/** Token counts of one message. Additional counts of the service are preserved. */
const usageSchema = z.looseObject({
  ...optionalNumbers('input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
  service_tier: z.string().nullish(),
});

/** One block of an answer. The other fields depend on `type`; unknown ones are preserved. */
const contentBlockSchema = z.looseObject({
  type: z.string().default(''),
  /** Set for `text` blocks. */
  text: z.string().nullish(),
  /** Set for `thinking` blocks. */
  thinking: z.string().nullish(),
  /** Set for `tool_use`, `server_tool_use` and `mcp_tool_use` blocks. */
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
  /** Set for the result blocks of server tools. */
  tool_use_id: z.string().nullish(),
  content: z.unknown().optional(),
});

/** Message produced by the model. Unknown block types and fields are preserved. */
export const messageSchema = z.looseObject({
  id: z.string().optional(),
  type: z.string().optional(),
  role: z.string().optional(),
  model: z.string().optional(),
  content: z.array(contentBlockSchema).default([]),
  ...optionalTexts('stop_reason', 'stop_sequence'),
  usage: usageSchema.nullish(),
});
export type Message = z.infer<typeof messageSchema>;

/** Number of input tokens of a message request. */
export const tokenCountSchema = z.looseObject({ input_tokens: z.number().int().min(0) });
export type TokenCount = z.infer<typeof tokenCountSchema>;
