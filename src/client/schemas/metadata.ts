import * as z from 'zod';

/** Keys and values that people gave to something: kept as they came, whatever a key is called; a record of zod drops `__proto__`. */
export const metadataSchema = z.custom<Readonly<Record<string, unknown>>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
);
