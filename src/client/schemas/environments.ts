import * as z from 'zod';
import { metadataSchema } from './metadata';

/** A sandbox environment that sessions run in (API facts, section 11). Only `id` is demanded. */
export const environmentSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('environment'),
  name: z.string().nullish(),
  description: z.string().nullish(),
  /** `cloud` or `self_hosted`; any other is kept. */
  config: z.looseObject({ type: z.string().nullish() }).nullish(),
  metadata: metadataSchema.nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
});
export type Environment = z.infer<typeof environmentSchema>;
