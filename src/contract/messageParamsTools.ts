import * as z from 'zod';
import { cacheControlSchema, characters, jsonObject, openUnion, variant, whole } from './messageParamsShapes';

const commonFields = {
  cache_control: cacheControlSchema,
  strict: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
  // New code execution tools can add callers.
  allowed_callers: z.array(z.string()).optional(),
};
const input_examples = z.array(jsonObject).optional();

/** Creates the schema of a built-in tool: fixed name, no further properties (contract, tool definitions). */
function builtIn<const T extends string, const N extends string, F extends z.core.$ZodLooseShape>(
  types: readonly [T, ...T[]],
  name: N,
  fields: F,
) {
  return z.strictObject({ type: z.enum(types), name: z.literal(name), ...commonFields, ...fields });
}

/** JSON Schema of a tool's input, with the keywords that a service reads. */
export const toolInputSchema = z.looseObject({
  type: z.literal('object'),
  properties: jsonObject.nullish(),
  required: z.array(z.string()).nullish(),
});

export const customToolSchema = z.looseObject({
  // A missing type, null and `custom` all mean a custom tool.
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input_schema: toolInputSchema,
  description: z.string().optional(),
  eager_input_streaming: z.boolean().nullish(),
  ...commonFields,
  input_examples,
});

const display = {
  display_height_px: whole(1),
  display_width_px: whole(1),
  display_number: whole(0).nullish(),
  input_examples,
};

const domains = {
  allowed_domains: z.array(z.string()).nullish(),
  blocked_domains: z.array(z.string()).nullish(),
  max_uses: whole().nullish(),
};

const webSearch = {
  ...domains,
  user_location: z
    .looseObject({
      type: z.literal('approximate'),
      city: characters(1, 255).nullish(),
      country: characters(2, 2).nullish(),
      region: characters(1, 255).nullish(),
      timezone: characters(1, 255).nullish(),
    })
    .nullish(),
};

const webFetch = {
  ...domains,
  citations: z.looseObject({ enabled: z.boolean().optional() }).nullish(),
  max_content_tokens: whole().nullish(),
};
const use_cache = z.boolean().optional();
const response_inclusion = z.enum(['full', 'excluded']).optional();

const toolSwitches = { defer_loading: z.boolean().optional(), enabled: z.boolean().optional() };

/** One entry of `tools`. An unknown `type` is accepted with a name, because tools are versioned by date suffix. */
export const toolSchema = openUnion(
  [
    customToolSchema,
    builtIn(['bash_20241022', 'bash_20250124'], 'bash', { input_examples }),
    builtIn(
      ['code_execution_20250522', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521'],
      'code_execution',
      {},
    ),
    builtIn(['computer_20241022', 'computer_20250124'], 'computer', display),
    builtIn(['computer_20251124'], 'computer', { ...display, enable_zoom: z.boolean().optional() }),
    builtIn(['memory_20250818'], 'memory', { input_examples }),
    builtIn(['text_editor_20241022', 'text_editor_20250124'], 'str_replace_editor', { input_examples }),
    builtIn(['text_editor_20250429'], 'str_replace_based_edit_tool', { input_examples }),
    builtIn(['text_editor_20250728'], 'str_replace_based_edit_tool', { input_examples, max_characters: whole(1).nullish() }),
    builtIn(['web_search_20250305', 'web_search_20260209'], 'web_search', webSearch),
    builtIn(['web_search_20260318'], 'web_search', { ...webSearch, response_inclusion }),
    builtIn(['web_fetch_20250910', 'web_fetch_20260209'], 'web_fetch', webFetch),
    builtIn(['web_fetch_20260309'], 'web_fetch', { ...webFetch, use_cache }),
    builtIn(['web_fetch_20260318'], 'web_fetch', { ...webFetch, use_cache, response_inclusion }),
    builtIn(['advisor_20260301'], 'advisor', {
      caching: cacheControlSchema,
      max_tokens: whole(1024).nullish(),
      max_uses: whole().nullish(),
      model: z.string(),
    }),
    builtIn(['tool_search_tool_bm25_20251119', 'tool_search_tool_bm25'], 'tool_search_tool_bm25', {}),
    builtIn(['tool_search_tool_regex_20251119', 'tool_search_tool_regex'], 'tool_search_tool_regex', {}),
    z.strictObject({
      type: z.literal('mcp_toolset'),
      ...commonFields,
      mcp_server_name: characters(1, 255),
      configs: z.record(z.string(), z.looseObject(toolSwitches)).nullish(),
      default_config: z.looseObject(toolSwitches).optional(),
    }),
  ],
  { name: z.string() },
);

const disable_parallel_tool_use = z.boolean().optional();

/** `tool_choice` (contract: `type` is `auto`, `any`, `tool` or `none`). */
export const toolChoiceSchema = z.discriminatedUnion('type', [
  variant('auto', { disable_parallel_tool_use }),
  variant('any', { disable_parallel_tool_use }),
  variant('tool', { name: z.string(), disable_parallel_tool_use }),
  variant('none'),
]);
