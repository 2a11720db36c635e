import * as z from 'zod';

/** A model that the workspace exposes. Only `id` is demanded (contract, `GET /v1/models`: shape not shown). */
export const modelSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().optional(),
  display_name: z.string().nullish(),
  created_at: z.string().nullish(),
  max_input_tokens: z.number().nullish(),
  max_tokens: z.number().nullish(),
  /** What it can do, by name: `batch`, `thinking`, `image_input`, each usually `{supported}`. */
  capabilities: z.record(z.string(), z.unknown()).nullish(),
});
export type Model = z.infer<typeof modelSchema>;
