import * as z from 'zod';
import type { ListOptions } from '../transport/callResult';
import { optionalNumbers, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { callForPage } from './resource';

/** Model that the workspace can use. Only `id` is required (contract, `GET /v1/models`: shape not shown). */
const modelSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().optional(),
  ...optionalTexts('display_name', 'created_at'),
  ...optionalNumbers('max_input_tokens', 'max_tokens'),
  /** Capabilities by name: `batch`, `thinking`, `image_input`, each usually `{supported}`. */
  capabilities: z.record(z.string(), z.unknown()).nullish(),
});
export type Model = z.infer<typeof modelSchema>;

/** Creates the calls for models (contract, `GET /v1/models`). */
export function createModels(transport: Transport) {
  return { list: async (options?: ListOptions) => callForPage(transport, modelSchema, { group: 'models', path: '/models' }, options) };
}
