import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type MemoryPathProblem, memoryPathProblem, maxMemoryBytes } from '../../contract/memoryPath';
import { metadataPatchSchema, metadataSchema } from '../http/metadata';
import { toWire } from '../http/toWire';
import { archivableShape, recordShape } from '../state/recordStore';

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
  .refine(text => Buffer.byteLength(text) <= maxMemoryBytes, { error: `must have at most ${maxMemoryBytes} bytes` });
export const createMemorySchema = z.object({ path: pathSchema, content: contentSchema.nullable() });
export const updateMemorySchema = z.object({
  path: pathSchema.nullish(),
  content: contentSchema.nullish(),
  precondition: z.object({ type: z.literal('content_sha256'), content_sha256: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
});

const actorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_actor'), session_id: z.string() }),
  z.object({ type: z.literal('api_actor'), api_key_id: z.string() }),
]);
/** Author of a write: a session or the owner of a key. */
export type WireActor = z.infer<typeof actorSchema>;

export const storeRecordSchema = z.object({ ...archivableShape, name: z.string(), description: z.string() });
export type StoreRecord = Readonly<z.infer<typeof storeRecordSchema>>;

export const memoryRecordSchema = z.object({
  ...recordShape,
  storeId: z.string(),
  path: z.string(),
  content: z.string(),
  versionId: z.string(),
  updatedAt: z.number(),
});
export type MemoryRecord = Readonly<z.infer<typeof memoryRecordSchema>>;

export const versionRecordSchema = z.object({
  ...recordShape,
  storeId: z.string(),
  memoryId: z.string(),
  operation: z.enum(['created', 'modified', 'deleted']),
  /** Null once the version is redacted. The content of a deletion is always null. */
  path: z.string().nullable(),
  content: z.string().nullable(),
  createdBy: actorSchema,
  redactedAt: z.number().nullable(),
  redactedBy: actorSchema.nullable(),
});
export type VersionRecord = Readonly<z.infer<typeof versionRecordSchema>>;

/** Converts a memory to its response form. Only the full view has its content. */
export function toMemory({ storeId, versionId, ...record }: MemoryRecord, isFull: boolean): object {
  const parts = { memory_store_id: storeId, memory_version_id: versionId };
  return toWire('memory', record, { ...parts, ...contentFields(record.content, isFull) });
}

/** Converts a version to its response form. Only the full view has its content. */
export function toVersion({ storeId, redactedBy, ...record }: VersionRecord, isFull: boolean): object {
  return toWire('memory_version', record, {
    memory_store_id: storeId,
    ...contentFields(record.content, isFull),
    ...(redactedBy === null ? {} : { redacted_by: redactedBy }),
  });
}

function contentFields(content: string | null, isFull: boolean): object {
  return {
    content: isFull ? content : null,
    content_size_bytes: content === null ? null : Buffer.byteLength(content),
    content_sha256: content === null ? null : sha256(content),
  };
}

/** Returns the hash of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
