import * as z from 'zod';

/** A number of items, or a position. */
export const count = z
  .int()
  .min(0)
  .max(2 ** 31);

/** Returns the schema of a message from a webview to its host. The schema rejects other fields. */
export function message<const T extends string, S extends z.core.$ZodLooseShape = Record<never, never>>(type: T, fields?: S) {
  return z.strictObject({ type: z.literal(type), ...(fields as S) });
}
