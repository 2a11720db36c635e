import type * as z from 'zod';
import { inputMessageSchema, messageParamsSchema } from '../../contract/messageParams';
import {
  base64DataSchema,
  documentTypeSchema,
  imageTypeSchema,
  thinkingTextSchema,
  toolResultIdSchema,
  toolUseIdSchema,
} from '../../contract/messageParamsContent';
import { cacheControlSchema } from '../../contract/messageParamsShapes';
import { note } from '../rules/lineNotes';

type Schema = z.core.$ZodType;

/** Kinds of watched values. They match `wasm/requestNotes.ts`. */
const watchKind = {
  set: 1,
  temperature: 2,
  topP: 3,
  maxTokens: 4,
  budget: 5,
  stream: 6,
  emptyArray: 7,
  content: 8,
  toolName: 9,
  chosenName: 10,
  choiceType: 11,
  personal: 12,
  role: 13,
  fallbacks: 14,
  whole: 15,
  message: 16,
  toolUse: 17,
  toolResult: 18,
  cacheMarker: 19,
  cacheTime: 20,
  mediaType: 21,
  base64: 22,
  emptyText: 23,
  speed: 24,
} as const;

/** Value that the scan notes for the rules beyond the schemas: its kind, and the note bits to set. */
export interface Watch {
  readonly kind: number;
  readonly bits: number;
}

type Step = string | typeof item;
const item = Symbol('item');

const watched: readonly (readonly [path: readonly Step[], kind: number, bits: number])[] = [
  [['temperature'], watchKind.temperature, note.temperature],
  [['top_k'], watchKind.set, note.topK],
  [['top_p'], watchKind.topP, note.topP],
  [['output_format'], watchKind.set, note.outputFormat],
  [['output_config', 'format'], watchKind.set, note.configFormat],
  [['stream'], watchKind.stream, note.streamOn],
  [['messages'], watchKind.emptyArray, note.noMessages],
  [['messages', item, 'role'], watchKind.role, 0],
  [['messages', item, 'content'], watchKind.content, 0],
  [['max_tokens'], watchKind.maxTokens, note.noTokens],
  [['thinking', 'budget_tokens'], watchKind.budget, 0],
  [['fallbacks'], watchKind.fallbacks, 0],
  [['fallback_credit_token'], watchKind.set, note.ask],
  [['user_profile_id'], watchKind.set, note.ask],
  [['mcp_servers'], watchKind.whole, 0],
  [['metadata', 'user_id'], watchKind.personal, 0],
  [['tools', item, 'name'], watchKind.toolName, 0],
  [['tools', item, 'mcp_server_name'], watchKind.whole, 0],
  [['tool_choice', 'type'], watchKind.choiceType, 0],
  [['tool_choice', 'name'], watchKind.chosenName, 0],
  [['speed'], watchKind.speed, note.fastSpeed],
  [['cache_control', 'ttl'], watchKind.cacheTime, 0],
];

const watchedSchemas: readonly (readonly [schema: Schema, kind: number, bits: number])[] = [
  [inputMessageSchema, watchKind.message, note.prefill],
  [toolUseIdSchema, watchKind.toolUse, 0],
  [toolResultIdSchema, watchKind.toolResult, 0],
  [cacheControlSchema, watchKind.cacheMarker, 0],
  [imageTypeSchema, watchKind.mediaType, 0],
  [documentTypeSchema, watchKind.mediaType, 0],
  [base64DataSchema, watchKind.base64, 0],
  [thinkingTextSchema, watchKind.emptyText, note.ask],
];

/** Returns the watched values, keyed by their schema. */
export function requestWatches(): ReadonlyMap<Schema, Watch> {
  const byPath = watched.flatMap(([path, kind, bits]) =>
    path.reduce<readonly Schema[]>(stepInto, [messageParamsSchema]).map(schema => [schema, { kind, bits }] as const),
  );
  return new Map([...byPath, ...watchedSchemas.map(([schema, kind, bits]) => [schema, { kind, bits }] as const)]);
}

function stepInto(schemas: readonly Schema[], step: Step): readonly Schema[] {
  return schemas.flatMap(plain).flatMap(schema => {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === 'array') {
      return step === item ? [def.element] : [];
    }
    return def.type === 'object' && typeof step === 'string' ? (def.shape[step] ?? []) : [];
  });
}

function plain(schema: Schema): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return plain(def.innerType);
    case 'union':
      return def.options.flatMap(plain);
    default:
      return [schema];
  }
}
