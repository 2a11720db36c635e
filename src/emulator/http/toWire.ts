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

/** Event or content block of the service. The other fields depend on its `type`. */
export interface WireObject {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Formats a time as RFC 3339, in milliseconds or whole seconds. */
export function toTime(milliseconds: number, wholeSeconds = false): string {
  const text = new Date(milliseconds).toISOString();
  return wholeSeconds ? text.replace(/\.\d+Z$/, 'Z') : text;
}

export function toTimeOrNull(milliseconds: number | null, wholeSeconds = false): string | null {
  return milliseconds === null ? null : toTime(milliseconds, wholeSeconds);
}

/** Converts a record to its response form: names in snake case, times as text. `more` adds fields or replaces them. */
export function toWire(
  type: string,
  { id, ...record }: { readonly id: string; readonly sequence?: number },
  more: object = {},
  wholeSeconds = false,
): object {
  const { sequence: _, ...fields } = record;
  const shown = Object.entries(fields).map(([name, value]) => [
    name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    name.endsWith('At') ? toTimeOrNull(value as number | null, wholeSeconds) : value,
  ]);
  return { id, type, ...Object.fromEntries(shown), ...more };
}
