import * as z from 'zod';

/** A page of a list: `next_page` (contract, List endpoints), `has_more` (batches, models), or `next_cursor` of a looser dialect. */
export const pageSchema = z.looseObject({
  data: z.array(z.unknown()),
  next_page: z.string().nullish().catch(undefined),
  next_cursor: z.string().nullish().catch(undefined),
  has_more: z.boolean().nullish().catch(undefined),
  first_id: z.string().nullish().catch(undefined),
  last_id: z.string().nullish().catch(undefined),
});
export type PageEnvelope = z.infer<typeof pageSchema>;
