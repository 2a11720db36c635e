import * as z from 'zod';

/** A file that the service keeps, uploaded or made by a session, in either shape of the wire (API facts, section 12). Only `id` is demanded. */
export const fileSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('file'),
  filename: z.string().nullish(),
  mime_type: z.string().nullish(),
  size_bytes: z.number().nullish(),
  created_at: z.string().nullish(),
  /** Whether its content can be read again; of what was uploaded a service may keep it to itself. */
  downloadable: z.boolean().nullish(),
  /** What made it: `{type: "session", id}`; absent or null for an upload. */
  scope: z.looseObject({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
  /** The newer shape only; null for a file that is kept. */
  expires_at: z.string().nullish(),
});
export type ServiceFile = z.infer<typeof fileSchema>;
