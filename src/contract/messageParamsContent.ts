import * as z from 'zod';
import {
  cacheControlSchema,
  characters,
  identifier,
  jsonObject,
  openUnion,
  serverToolIdentifier,
  variant,
  whole,
} from './messageParamsShapes';

const cache_control = cacheControlSchema;
const index = whole(0);
const documentFields = { cited_text: z.string(), document_index: index, document_title: characters(1, 500).nullable() };

const citation = openUnion([
  variant('char_location', { ...documentFields, start_char_index: index, end_char_index: whole() }),
  variant('page_location', { ...documentFields, start_page_number: whole(1), end_page_number: whole() }),
  variant('content_block_location', { ...documentFields, start_block_index: index, end_block_index: whole() }),
  variant('web_search_result_location', {
    cited_text: z.string(),
    encrypted_index: z.string(),
    title: characters(1, 512).nullable(),
    url: z.string().min(1),
  }),
  variant('search_result_location', {
    cited_text: z.string(),
    search_result_index: index,
    source: z.string(),
    start_block_index: index,
    end_block_index: whole(),
    title: z.string().nullable(),
  }),
]);

/** Text block of a request (contract: `text` of at least one character, optional `cache_control` and `citations`). */
export const textBlockSchema = variant('text', { text: z.string().min(1), cache_control, citations: z.array(citation).nullish() });

export const base64DataSchema = z.string();
export const imageTypeSchema = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
export const documentTypeSchema = z.literal('application/pdf');

/** Text of a thinking block. The block's signature covers this text. */
export const thinkingTextSchema = z.string();

/** ID of a `tool_use` block. The `tool_result` block refers to this ID. */
export const toolUseIdSchema = identifier();
export const toolResultIdSchema = identifier();

const imageBlock = variant('image', {
  cache_control,
  source: openUnion([
    variant('base64', { data: base64DataSchema, media_type: imageTypeSchema }),
    variant('url', { url: z.string() }),
    variant('file', { file_id: z.string() }),
  ]),
});

const citationsConfig = z.looseObject({ enabled: z.boolean().optional() });

const documentBlock = variant('document', {
  cache_control,
  citations: citationsConfig.nullish(),
  context: z.string().min(1).nullish(),
  title: characters(1, 500).nullish(),
  source: openUnion([
    variant('base64', { data: base64DataSchema, media_type: documentTypeSchema }),
    variant('text', { data: z.string(), media_type: z.literal('text/plain') }),
    variant('content', { content: z.union([z.string(), z.array(openUnion([textBlockSchema, imageBlock]))]) }),
    variant('url', { url: z.string() }),
    variant('file', { file_id: z.string() }),
  ]),
});

const searchResultBlock = variant('search_result', {
  cache_control,
  citations: citationsConfig.optional(),
  content: z.array(textBlockSchema),
  source: z.string(),
  title: z.string(),
});

const toolReferenceBlock = variant('tool_reference', { cache_control, tool_name: z.string().regex(/^[a-zA-Z0-9_-]{1,256}$/) });

const caller = openUnion([
  variant('direct'),
  variant('code_execution_20250825', { tool_id: serverToolIdentifier }),
  variant('code_execution_20260120', { tool_id: serverToolIdentifier }),
]).optional();

const toolChange = openUnion([
  variant('tool_reference', { name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/) }),
  variant('mcp_tool_reference', { name: z.string(), server_name: z.string() }),
  variant('mcp_toolset_reference', { server_name: z.string() }),
]);
const toolAdditionBlock = variant('tool_addition', { cache_control, tool: toolChange });
const toolRemovalBlock = variant('tool_removal', { cache_control, tool: toolChange });

/** Creates the schema of a server tool's result block. The service created the block's ID and content. Both are sent back unchanged. */
function serverToolResult<const T extends string>(type: T) {
  const content = z.union([jsonObject, z.array(z.unknown())]);
  return variant(type, { cache_control, tool_use_id: serverToolIdentifier, caller, content });
}

const hop = z.looseObject({ model: z.string() });

/** One block of an input message. Unknown block types are accepted, because new models add types. */
export const inputContentBlockSchema = openUnion([
  textBlockSchema,
  imageBlock,
  documentBlock,
  searchResultBlock,
  variant('thinking', { signature: z.string(), thinking: thinkingTextSchema }),
  variant('redacted_thinking', { data: z.string() }),
  variant('tool_use', { cache_control, caller, id: toolUseIdSchema, input: jsonObject, name: characters(1, 200) }),
  variant('tool_result', {
    cache_control,
    content: z
      .union([z.string(), z.array(openUnion([textBlockSchema, imageBlock, searchResultBlock, documentBlock, toolReferenceBlock]))])
      .optional(),
    is_error: z.boolean().optional(),
    tool_use_id: toolResultIdSchema,
  }),
  variant('server_tool_use', { cache_control, caller, id: serverToolIdentifier, input: jsonObject, name: z.string() }),
  serverToolResult('web_search_tool_result'),
  serverToolResult('web_fetch_tool_result'),
  serverToolResult('advisor_tool_result'),
  serverToolResult('code_execution_tool_result'),
  serverToolResult('bash_code_execution_tool_result'),
  serverToolResult('text_editor_code_execution_tool_result'),
  serverToolResult('tool_search_tool_result'),
  variant('mcp_tool_use', { cache_control, id: identifier(), input: jsonObject, name: z.string(), server_name: z.string() }),
  variant('mcp_tool_result', {
    cache_control,
    content: z.union([z.string(), z.array(textBlockSchema)]).optional(),
    is_error: z.boolean().optional(),
    tool_use_id: identifier(),
  }),
  variant('container_upload', { cache_control, file_id: z.string() }),
  variant('compaction', { cache_control, content: z.string().nullish(), encrypted_content: z.string().nullish() }),
  variant('mid_conv_system', { cache_control, content: z.array(openUnion([textBlockSchema, toolAdditionBlock, toolRemovalBlock])) }),
  toolAdditionBlock,
  toolRemovalBlock,
  variant('fallback', { from: hop, to: hop, trigger: z.unknown().optional() }),
]);
