import * as z from 'zod';

/** A file that was uploaded to the service (API facts, section 12). Only `id` is demanded. */
export const fileSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('file'),
  filename: z.string().nullish(),
  mime_type: z.string().nullish(),
  size_bytes: z.number().nullish(),
  created_at: z.string().nullish(),
  downloadable: z.boolean().nullish(),
});
export type UploadedFile = z.infer<typeof fileSchema>;
