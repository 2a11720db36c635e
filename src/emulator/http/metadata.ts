import * as z from 'zod';
import { invalidRequest } from './apiError';

/** Metadata of an object: at most 16 entries, names of 1 to 64 and values of up to 512 characters. */
export const metadataSchema = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine(entries => Object.keys(entries).length <= 16, { error: 'At most 16 entries are permitted' });
/** Patch of metadata. Null removes an entry. */
export const metadataPatchSchema = z.record(z.string().min(1).max(64), z.string().max(512).nullable());

/** Applies a patch to metadata. Throws a 400 if more than 16 entries are left. */
export function patched(
  old: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const entries = Object.entries({ ...old, ...patch }).filter((entry): entry is [string, string] => entry[1] !== null);
  if (entries.length > 16) {
    throw invalidRequest('metadata: At most 16 entries are permitted');
  }
  return Object.fromEntries(entries);
}
