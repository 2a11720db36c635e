import { z } from 'zod';

/** Token counts of one message. Any further bucket the service reports is kept. */
export const usageSchema = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});
export type Usage = z.infer<typeof usageSchema>;

/** One block of an answer; its other fields depend on `type`. */
export const contentBlockSchema = z.looseObject({ type: z.string() });
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
