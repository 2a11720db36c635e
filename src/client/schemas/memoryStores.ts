import * as z from 'zod';
import { isRecord } from '../../shared/isRecord';
import { metadataSchema, optionalTexts, timeFields } from './commonFields';

/** Store of memories that sessions read and write (API facts, section 15). Only `id` is required. */
export const memoryStoreSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('memory_store'),
  ...optionalTexts('name', 'description'),
  metadata: metadataSchema.nullish(),
  ...timeFields,
});
export type MemoryStore = z.infer<typeof memoryStoreSchema>;

/** Text at a path of a store (API facts, section 15). Only `id` is required. */
export const memorySchema = z.looseObject({
  id: z.string().min(1),
  /** `memory`, or `memory_prefix` for a folder in a list. */
  type: z.string().default('memory'),
  ...optionalTexts('memory_store_id', 'created_at', 'updated_at'),
  /** Path that starts with `/`. The path of a folder also ends with `/`. */
  path: z.string().nullish(),
  /** Null unless the requested view is `full`. */
  content: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  /** Hexadecimal digits. */
  content_sha256: z.string().nullish(),
  /** Id of the current version. */
  memory_version_id: z.string().nullish(),
});
export type Memory = z.infer<typeof memorySchema>;

/** Row of a list of memories. A folder has no id on the wire, so its path is used as id. */
export const memoryListItemSchema = z.preprocess(
  row => (isRecord(row) && row.type === 'memory_prefix' && typeof row.path === 'string' ? { id: row.path, ...row } : row),
  memorySchema,
);

/** Actor: a session, an API key or a user. Any other `type` is accepted. */
export const actorSchema = z.looseObject(optionalTexts('type', 'session_id', 'api_key_id', 'user_id'));
export type Actor = z.infer<typeof actorSchema>;

/** State of a memory after one write, or its deletion (API facts, section 15). Only `id` is required. */
export const memoryVersionSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('memory_version'),
  ...optionalTexts('memory_store_id', 'memory_id', 'content', 'content_sha256', 'created_at', 'redacted_at'),
  /** `created`, `modified`, `deleted` or any other string. */
  operation: z.string().nullish(),
  /** Path, content, size and hash are null once the version is redacted. */
  path: z.string().nullish(),
  content_size_bytes: z.number().nullish(),
  created_by: actorSchema.nullish(),
  redacted_by: actorSchema.nullish(),
});
export type MemoryVersion = z.infer<typeof memoryVersionSchema>;
