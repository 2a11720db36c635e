import * as z from 'zod';

/** Model that the workspace can use. Only `id` is required (contract, `GET /v1/models`: shape not shown). */
export const modelSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().optional(),
  display_name: z.string().nullish(),
  created_at: z.string().nullish(),
  max_input_tokens: z.number().nullish(),
  max_tokens: z.number().nullish(),
  /** Capabilities by name: `batch`, `thinking`, `image_input`, each usually `{supported}`. */
  capabilities: z.record(z.string(), z.unknown()).nullish(),
});
export type Model = z.infer<typeof modelSchema>;
