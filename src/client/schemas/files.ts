import * as z from 'zod';
import { optionalTexts } from './commonFields';

/** File stored by the service, uploaded or created by a session, in either wire format (API facts, section 12). Only `id` is required. */
export const fileSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('file'),
  ...optionalTexts('filename', 'mime_type', 'created_at'),
  size_bytes: z.number().nullish(),
  /** True if the content can be downloaded. A service may refuse that for uploads. */
  downloadable: z.boolean().nullish(),
  /** Creator of the file: `{type: "session", id}`. Absent or null for an upload. */
  scope: z.looseObject({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
  /** Newer shape only. Null for a file that does not expire. */
  expires_at: z.string().nullish(),
});
export type ServiceFile = z.infer<typeof fileSchema>;
