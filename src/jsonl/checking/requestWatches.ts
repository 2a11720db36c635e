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
import type { Path } from '../rules/finding';
import { stepInto } from '../rules/knownFields';
import { Note, WatchKind } from '../wasm/requestLayout';

type Schema = z.core.$ZodType;

/** Value that the scan notes for the rules beyond the schemas: its kind, and the note bits to set. */
export interface Watch {
  readonly kind: number;
  readonly bits: number;
}

/** Step into the items of an array. */
const item = 0;

const watched: readonly (readonly [path: Path, kind: number, bits: number])[] = [
  [['temperature'], WatchKind.Temperature, Note.Temperature],
  [['top_k'], WatchKind.Set, Note.TopK],
  [['top_p'], WatchKind.TopP, Note.TopP],
  [['output_format'], WatchKind.Set, Note.OutputFormat],
  [['output_config', 'format'], WatchKind.Set, Note.ConfigFormat],
  [['stream'], WatchKind.Stream, Note.StreamOn],
  [['messages'], WatchKind.EmptyArray, Note.NoMessages],
  [['messages', item, 'role'], WatchKind.Role, 0],
  [['messages', item, 'content'], WatchKind.Content, 0],
  [['max_tokens'], WatchKind.MaxTokens, Note.NoTokens],
  [['thinking', 'budget_tokens'], WatchKind.Budget, 0],
  [['fallbacks'], WatchKind.Fallbacks, 0],
  [['fallback_credit_token'], WatchKind.Set, Note.Ask],
  [['user_profile_id'], WatchKind.Set, Note.Ask],
  [['mcp_servers'], WatchKind.Whole, 0],
  [['metadata', 'user_id'], WatchKind.Personal, 0],
  [['tools', item, 'name'], WatchKind.ToolName, 0],
  [['tools', item, 'mcp_server_name'], WatchKind.Whole, 0],
  [['tool_choice', 'type'], WatchKind.ChoiceType, 0],
  [['tool_choice', 'name'], WatchKind.ChosenName, 0],
  [['speed'], WatchKind.Speed, Note.FastSpeed],
  [['cache_control', 'ttl'], WatchKind.CacheTime, 0],
];

const watchedSchemas: readonly (readonly [schema: Schema, kind: number, bits: number])[] = [
  [inputMessageSchema, WatchKind.Message, Note.Prefill],
  [toolUseIdSchema, WatchKind.ToolUse, 0],
  [toolResultIdSchema, WatchKind.ToolResult, 0],
  [cacheControlSchema, WatchKind.CacheMarker, 0],
  [imageTypeSchema, WatchKind.MediaType, 0],
  [documentTypeSchema, WatchKind.MediaType, 0],
  [base64DataSchema, WatchKind.Base64, 0],
  [thinkingTextSchema, WatchKind.EmptyText, Note.Ask],
];

/** Returns the watched values, keyed by their schema. */
export function requestWatches(): ReadonlyMap<Schema, Watch> {
  const byPath = watched.flatMap(([path, kind, bits]) =>
    path
      .reduce<readonly Schema[]>((schemas, step) => schemas.flatMap(plain).flatMap(schema => stepInto(schema, step)), [messageParamsSchema])
      .map(schema => [schema, { kind, bits }] as const),
  );
  return new Map([...byPath, ...watchedSchemas.map(([schema, kind, bits]) => [schema, { kind, bits }] as const)]);
}

/** Returns all options of optional, nullable and union schemas. */
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
