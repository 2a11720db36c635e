import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { metadataSchema } from './metadata';

/** A store of memories that sessions read and write (API facts, section 15). Only `id` is demanded. */
export const memoryStoreSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('memory_store'),
  name: z.string().nullish(),
  description: z.string().nullish(),
  metadata: metadataSchema.nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  archived_at: z.string().nullish(),
});
export type MemoryStore = z.infer<typeof memoryStoreSchema>;

/** A text at a path of a store (API facts, section 15). Only `id` is demanded. */
export const memorySchema = z.looseObject({
  id: z.string().min(1),
  /** `memory`, or `memory_prefix` in a list by folders. */
  type: z.string().default('memory'),
  memory_store_id: z.string().nullish(),
  /** Begins with `/`; that of a folder ends with one too. */
  path: z.string().nullish(),
  /** Null unless the view is `full`. */
  content: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  /** Hexadecimal digits. */
  content_sha256: z.string().nullish(),
  /** The version that it is now. */
  memory_version_id: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Memory = z.infer<typeof memorySchema>;

/** A row of a list of memories. A folder has no id on the wire: it has its path for one. */
export const memoryListItemSchema = z.preprocess(
  row => (isRecord(row) && row.type === 'memory_prefix' && typeof row.path === 'string' ? { id: row.path, ...row } : row),
  memorySchema,
);

/** Who did something: a session, an API key or a user; any other `type` is kept. */
export const actorSchema = z.looseObject({
  type: z.string().nullish(),
  session_id: z.string().nullish(),
  api_key_id: z.string().nullish(),
  user_id: z.string().nullish(),
});
export type Actor = z.infer<typeof actorSchema>;

/** What a memory was after one write, or that it was deleted (API facts, section 15). Only `id` is demanded. */
export const memoryVersionSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('memory_version'),
  memory_store_id: z.string().nullish(),
  memory_id: z.string().nullish(),
  /** `created`, `modified` or `deleted`; any other is kept. */
  operation: z.string().nullish(),
  /** Path, content, size and hash are null once it is redacted. */
  path: z.string().nullish(),
  content: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  content_sha256: z.string().nullish(),
  created_by: actorSchema.nullish(),
  created_at: z.string().nullish(),
  redacted_at: z.string().nullish(),
  redacted_by: actorSchema.nullish(),
});
export type MemoryVersion = z.infer<typeof memoryVersionSchema>;
