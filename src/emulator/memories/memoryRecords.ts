import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type MemoryPathProblem, memoryPathProblem, mostMemoryBytes } from '../../contract/memoryPath';
import { metadataPatchSchema, metadataSchema } from '../agents/agentParams';
import { toTime, toTimeOrNull } from '../http/wireTime';

const nameSchema = z.string().min(1).max(255);
const descriptionSchema = z.string().max(1024).nullish();
export const createStoreSchema = z.object({ name: nameSchema, description: descriptionSchema, metadata: metadataSchema.optional() });
export const updateStoreSchema = z.object({
  name: nameSchema.nullish(),
  description: descriptionSchema,
  metadata: metadataPatchSchema.optional(),
});

const pathProblems: Readonly<Record<MemoryPathProblem, string>> = {
  start: 'must begin with /',
  empty: 'must name a memory',
  long: 'must have at most 1024 bytes',
  characters: 'must have no control characters and no line separators',
  segments: 'must have no empty segments and none that are . or ..',
  form: 'must be in Unicode normalization form C',
};
const pathSchema = z.string().superRefine((path, context) => {
  const problem = memoryPathProblem(path);
  if (problem !== undefined) {
    context.addIssue(pathProblems[problem]);
  }
});
const contentSchema = z
  .string()
  .refine(text => Buffer.byteLength(text) <= mostMemoryBytes, { error: `must have at most ${mostMemoryBytes} bytes` });
export const createMemorySchema = z.object({ path: pathSchema, content: contentSchema.nullable() });
export const updateMemorySchema = z.object({
  path: pathSchema.nullish(),
  content: contentSchema.nullish(),
  precondition: z.object({ type: z.literal('content_sha256'), content_sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
});

/** Author of a write: a session or the owner of a key. */
export type WireActor =
  | { readonly type: 'session_actor'; readonly session_id: string }
  | { readonly type: 'api_actor'; readonly api_key_id: string };
const actorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_actor'), session_id: z.string() }),
  z.object({ type: z.literal('api_actor'), api_key_id: z.string() }),
]);

export const storeRecordSchema = z.object({
  id: z.string(),
  sequence: z.number(),
  name: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
});
export type StoreRecord = Readonly<z.infer<typeof storeRecordSchema>>;

export const memoryRecordSchema = z.object({
  id: z.string(),
  sequence: z.number(),
  storeId: z.string(),
  path: z.string(),
  content: z.string(),
  versionId: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type MemoryRecord = Readonly<z.infer<typeof memoryRecordSchema>>;

export const versionRecordSchema = z.object({
  id: z.string(),
  sequence: z.number(),
  storeId: z.string(),
  memoryId: z.string(),
  operation: z.enum(['created', 'modified', 'deleted']),
  /** Null once the version is redacted. The content of a deletion is always null. */
  path: z.string().nullable(),
  content: z.string().nullable(),
  createdBy: actorSchema,
  createdAt: z.number(),
  redactedAt: z.number().nullable(),
  redactedBy: actorSchema.nullable(),
});
export type VersionRecord = Readonly<z.infer<typeof versionRecordSchema>>;

/** Converts a store to its response form. */
export function toStore(record: StoreRecord) {
  return {
    id: record.id,
    type: 'memory_store',
    name: record.name,
    description: record.description,
    metadata: record.metadata,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
  };
}

/** Converts a memory to its response form. Only the full view has its content. */
export function toMemory(record: MemoryRecord, isFull: boolean) {
  return {
    id: record.id,
    type: 'memory',
    memory_store_id: record.storeId,
    path: record.path,
    content: isFull ? record.content : null,
    content_size_bytes: Buffer.byteLength(record.content),
    content_sha256: sha256(record.content),
    memory_version_id: record.versionId,
    created_at: toTime(record.createdAt),
    updated_at: toTime(record.updatedAt),
  };
}

/** Converts a version to its response form. Only the full view has its content. */
export function toVersion(record: VersionRecord, isFull: boolean) {
  const { content } = record;
  return {
    id: record.id,
    type: 'memory_version',
    memory_store_id: record.storeId,
    memory_id: record.memoryId,
    operation: record.operation,
    path: record.path,
    content: isFull ? content : null,
    content_size_bytes: content === null ? null : Buffer.byteLength(content),
    content_sha256: content === null ? null : sha256(content),
    created_by: record.createdBy,
    created_at: toTime(record.createdAt),
    redacted_at: toTimeOrNull(record.redactedAt),
    ...(record.redactedBy === null ? {} : { redacted_by: record.redactedBy }),
  };
}

/** Returns the hash of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
