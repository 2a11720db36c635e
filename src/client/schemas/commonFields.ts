import * as z from 'zod';

/** User-defined keys and values. All keys are preserved: a record of zod would drop `__proto__`. */
export const metadataSchema = z.custom<Readonly<Record<string, unknown>>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Times of a resource that can be changed and archived. */
export const timeFields = {
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
};
