import * as z from 'zod';

/**
 * A page of any list. The service has several envelopes: `next_page` (contract, List endpoints), `has_more` with `last_id`
 * (batches, models), `next_cursor` of a looser dialect. `data` may be absent: an empty page; what is there and no array is no list.
 */
export const pageSchema = z.looseObject({
  data: z.array(z.unknown()).nullish(),
  next_page: z.string().nullish().catch(undefined),
  next_cursor: z.string().nullish().catch(undefined),
  has_more: z.boolean().nullish().catch(undefined),
  first_id: z.string().nullish().catch(undefined),
  last_id: z.string().nullish().catch(undefined),
});
export type PageEnvelope = z.infer<typeof pageSchema>;
