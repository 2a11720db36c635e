import * as z from 'zod';
import { optionalNumbers, optionalTexts } from './commonFields';

/** Model that the workspace can use. Only `id` is required (contract, `GET /v1/models`: shape not shown). */
export const modelSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().optional(),
  ...optionalTexts('display_name', 'created_at'),
  ...optionalNumbers('max_input_tokens', 'max_tokens'),
  /** Capabilities by name: `batch`, `thinking`, `image_input`, each usually `{supported}`. */
  capabilities: z.record(z.string(), z.unknown()).nullish(),
});
export type Model = z.infer<typeof modelSchema>;
