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
import { WatchKind } from '../wasm/requestLayout';

type Schema = z.core.$ZodType;

/** Path step into the items of an array. */
const item = 0;

const watched: readonly (readonly [path: Path, kind: WatchKind])[] = [
  [['temperature'], WatchKind.Temperature],
  [['top_k'], WatchKind.Set],
  [['top_p'], WatchKind.TopP],
  [['output_format'], WatchKind.Format],
  [['output_config', 'format'], WatchKind.Format],
  [['stream'], WatchKind.Stream],
  [['messages'], WatchKind.EmptyArray],
  [['messages', item, 'role'], WatchKind.Role],
  [['messages', item, 'content'], WatchKind.Content],
  [['max_tokens'], WatchKind.MaxTokens],
  [['thinking', 'budget_tokens'], WatchKind.Budget],
  [['fallbacks'], WatchKind.Fallbacks],
  [['fallback_credit_token'], WatchKind.Ask],
  [['user_profile_id'], WatchKind.Ask],
  [['mcp_servers'], WatchKind.Whole],
  [['metadata', 'user_id'], WatchKind.Personal],
  [['tools', item, 'name'], WatchKind.ToolName],
  [['tools', item, 'mcp_server_name'], WatchKind.Whole],
  [['tool_choice', 'type'], WatchKind.ChoiceType],
  [['tool_choice', 'name'], WatchKind.ChosenName],
  [['speed'], WatchKind.Speed],
  [['cache_control', 'ttl'], WatchKind.CacheTime],
];

const watchedSchemas: readonly (readonly [schema: Schema, kind: WatchKind])[] = [
  [inputMessageSchema, WatchKind.Message],
  [toolUseIdSchema, WatchKind.ToolUse],
  [toolResultIdSchema, WatchKind.ToolResult],
  [cacheControlSchema, WatchKind.CacheMarker],
  [imageTypeSchema, WatchKind.MediaType],
  [documentTypeSchema, WatchKind.MediaType],
  [base64DataSchema, WatchKind.Base64],
  [thinkingTextSchema, WatchKind.EmptyText],
];

/** Returns the kind of each value that the scan must note for rules beyond the schemas, keyed by the schema of the value. */
export function requestWatches(): ReadonlyMap<Schema, WatchKind> {
  const byPath = watched.flatMap(([path, kind]) =>
    path
      .reduce<readonly Schema[]>((schemas, step) => schemas.flatMap(plain).flatMap(schema => stepInto(schema, step)), [messageParamsSchema])
      .map(schema => [schema, kind] as const),
  );
  return new Map([...byPath, ...watchedSchemas]);
}

/** Unwraps optional, nullable and union schemas into all of their options. */
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
