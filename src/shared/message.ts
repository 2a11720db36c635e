import * as z from 'zod';

/** Returns the schema of a message from a webview to its host. The schema rejects other fields. */
export function message<const T extends string, S extends z.core.$ZodLooseShape = Record<never, never>>(type: T, fields?: S) {
  return z.strictObject({ type: z.literal(type), ...(fields as S) });
}
