import * as z from 'zod';

/** Number of requests per status. Only `processing` is above 0 until the whole batch has ended (contract, RequestCounts). */
export const requestCountsSchema = z.looseObject({
  processing: z.number().default(0),
  succeeded: z.number().default(0),
  errored: z.number().default(0),
  canceled: z.number().default(0),
  expired: z.number().default(0),
});
export type RequestCounts = z.infer<typeof requestCountsSchema>;
