const values: Readonly<Record<string, string>> = {
  'role=user': 'The user, and tool results.',
  'role=assistant': 'The model. If this is the last message, the answer continues it.',
  'role=system': 'Not accepted by all services. Use the field `system`.',
  'service_tier=auto': 'Uses reserved capacity if available.',
  'speed=fast': 'Faster, at a higher price.',
  'fallbacks=default': 'Models chosen by the service.',
  'mode=strict': 'A rejected token is an error (400).',
  'mode=best_effort': 'A rejected token is ignored: you pay the normal price. See `usage.fallback_credit`.',
  'thinking.type=enabled': 'Thinks, with a budget of at least 1,024 tokens.',
  'thinking.type=adaptive': 'Thinks as much as needed.',
  'tool_choice.type=auto': 'The model decides.',
  'tool_choice.type=any': 'The model must call a tool.',
  'tool_choice.type=tool': 'The model must call this tool.',
  'ttl=1h': 'Writing costs more, but more requests of a batch can read it.',

  // Values of tools.
  'type=custom': 'Your own tool, run by your program.',
  'type=bash_20250124': 'A shell, run by your program.',
  'tools.type=code_execution_20250522': 'Runs Python in the sandbox of the service.',
  'tools.type=code_execution_20250825': 'Runs shell commands in the sandbox of the service.',
  'tools.type=code_execution_20260120': 'Runs code that can call tools, in the sandbox of the service.',
  'type=computer_20241022': 'Screen, mouse and keyboard, run by your program.',
  'type=computer_20250124': 'Screen, mouse and keyboard, with more actions.',
  'type=computer_20251124': 'Screen, mouse and keyboard, with zoom.',
  'type=memory_20250818': 'Reads and writes memory files, stored by your program.',
  'type=text_editor_20241022': 'Views and edits files, run by your program.',
  'type=text_editor_20250429': 'Views and edits files, without an undo command.',
  'type=text_editor_20250728': 'Views and edits files, with a limit on the characters shown.',
  'type=web_fetch_20250910': 'Fetches a page or a PDF.',
  'type=web_fetch_20260309': 'Fetches a page or a PDF, and can bypass the cache.',
  'type=web_fetch_20260318': 'Fetches a page or a PDF, and can keep it out of the answer.',
  'type=tool_search_tool_bm25_20251119': 'Searches deferred tools in natural language.',
  'type=tool_search_tool_regex_20251119': 'Searches deferred tools with patterns.',

  // Values of context edits.
  'type=clear_tool_uses_20250919': 'Removes old tool results.',
  'type=clear_thinking_20251015': 'Removes old thinking.',
  'type=compact_20260112': 'Replaces the conversation with a summary.',

  // Values of blocks.
  'type=document': 'A PDF, text, or blocks.',
  'type=search_result': 'Your own search result, which the model can cite.',
  'type=tool_use': 'A call to your own tool.',
  'type=tool_result': 'The result of a tool call, in a user message.',
  'type=server_tool_use': "A call to one of the service's tools.",
  'type=container_upload': 'Adds a file to the container.',
  'type=mid_conv_system': 'Changes instructions and tools during a conversation.',
  'source.type=content': 'Text and images as blocks.',
};

/**
 * Documentation of values of the request schemas, keyed by `owner.field=value` or `field=value`. Empty if the value is self-explanatory.
 */
export const valueGuide: ReadonlyMap<string, string> = new Map(Object.entries(values));

/** Documentation of a request field in Markdown, and the editor's completions for it. */
export interface FieldGuide {
  /** Documentation in Markdown. Empty if the field is self-explanatory. */
  readonly words: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** Reason for the deprecation and what to use instead. */
  readonly deprecated?: string;
  /** Initial value of the field in a new object, in VS Code's snippet syntax. A text that starts with `^` is inserted without quotes. */
  readonly sample?: unknown;
  /** Complete values to offer, in VS Code's snippet syntax. For a list, items to offer. */
  readonly snippets?: readonly { readonly label: string; readonly body: unknown }[];
}

const fields: Readonly<Record<string, string | FieldGuide>> = {
  // Fields of a batch request.
  'request.custom_id': 'ID of the request, unique in the file. Results come in any order and are matched by it.',
  'request.params': {
    words: 'Parameters of the message: `model`, `max_tokens`, `messages` and options.',
    snippets: [{ label: 'params', body: { model: '$1', max_tokens: `^\${2:1024}`, messages: [{ role: 'user', content: '$3' }] } }],
  },

  // Fields of `params`.
  model: 'Name of the model.',
  'params.messages': {
    words:
      'The conversation so far. If the last message is from the assistant, the answer continues it (prefill), on models that allow it.',
    snippets: [
      { label: 'user message', body: { role: 'user', content: '$1' } },
      { label: 'assistant message', body: { role: 'assistant', content: '$1' } },
      { label: 'message with blocks', body: { role: 'user', content: [{ type: 'text', text: '$1' }] } },
    ],
  },
  'params.max_tokens': {
    words: 'Maximum number of tokens to generate, including thinking. `0` only fills the prompt cache.',
    examples: [1024, 4096, 16_000],
  },
  'params.system': 'Instructions for the whole conversation: a string, or text blocks.',
  'params.stop_sequences': 'Strings at which the model stops, with the `stop_reason` `stop_sequence`.',
  'params.stream': 'Streams the answer. Has no effect in a batch.',
  'params.temperature': {
    words: 'Randomness: near 0 for analysis, near 1 for creative text.',
    default: 1,
    deprecated: '"temperature" is deprecated: newer models reject every value but 1. Remove it where you can.',
  },
  'params.top_k': {
    words: 'Samples from the k most likely tokens.',
    deprecated: '"top_k" is deprecated: newer models reject it. Remove it where you can.',
  },
  'params.top_p': {
    words: 'Samples from the most likely tokens with this total probability.',
    deprecated: '"top_p" is deprecated: newer models reject values below 0.99. Remove it where you can.',
  },
  'params.metadata': 'Metadata of the request.',
  'metadata.user_id': 'Opaque ID of the end user, such as a hash.',
  'params.service_tier': 'Whether reserved capacity may be used.',
  speed: 'Speed of the answer, on models that support it.',
  'params.inference_geo': 'Region in which the model runs.',
  'params.container': 'Container for tools: the ID of an earlier one, or an object that also lists skills.',
  'container.id': 'ID of an earlier container. If null or missing, a new one is created.',
  'skills.type': { words: '`custom` for your own skills.', examples: ['custom', 'vendor'] },
  'skills.version': 'Version of the skill. Default: latest.',
  'params.context_management': 'Rules for clearing old content from the context.',
  'edits.clear_at_least': 'Minimum number of tokens to clear, so that losing the cache pays off.',
  'edits.clear_tool_inputs': 'Clears the inputs of calls too: `true` for all, or names of tools.',
  'edits.exclude_tools': 'Tools whose results are never cleared.',
  'edits.instructions': 'Replaces the default instructions for the summary.',
  'edits.pause_after_compaction': 'Pauses the answer after the summary.',
  'params.diagnostics': 'Reports why a prompt was not read from the cache, in `diagnostics.cache_miss_reason`.',
  'diagnostics.previous_message_id': '`id` (`msg_…`) of the previous answer, or null.',
  'params.fallback_credit_token':
    "Token of a refusal, for a retry on another model: cached input is billed as a cache read. Expires after 5 minutes and can't be combined with `fallbacks`.",
  'fallback_credit_token.token': 'Token from `stop_details`. It is a secret.',
  'fallback_credit_token.mode': { words: 'What to do if the token is rejected.', default: 'strict' },
  'params.fallbacks': 'Models to try, in order, if the model refuses; or `default`.',
  'fallbacks.output_config': '',
  'params.mcp_servers': {
    words: 'Up to 20 MCP servers. Refer to them with an `mcp_toolset` in `tools`.',
    snippets: [{ label: 'MCP server', body: { type: 'url', name: `\${1:name}`, url: `https://\${2:mcp.example.com}` } }],
  },
  'mcp_servers.authorization_token': 'Token for the server. It is a secret.',
  'mcp_servers.tool_configuration': 'Tools of the server that the model may use.',
  output_config: 'Format and effort of the answer.',
  'output_config.effort': 'More effort uses more tokens.',
  'output_config.format': 'Returns JSON that matches a schema.',
  'output_config.task_budget': 'Token budget of the whole task. The model sees it while it works.',
  schema: { words: 'JSON Schema of the answer.', sample: '^{$1}' },
  'params.output_format': {
    words: 'Returns JSON that matches a schema.',
    deprecated: '"output_format" is deprecated. Use "output_config.format" instead.',
  },
  'params.thinking': 'Whether the model thinks before it answers.',
  'enabled.budget_tokens': 'Maximum number of thinking tokens. Must be lower than `max_tokens`.',
  display: 'How thinking is returned.',
  'params.tool_choice': 'Whether the model calls a tool, and which.',
  disable_parallel_tool_use: { words: 'Allows one tool call per answer.', default: false },
  'params.tools': 'Tools that the model can call: your own (`custom`), and those of the service.',
  'params.user_profile_id': 'User profile of the request. Must match the profile of the batch.',

  // Fields of tools.
  'custom.input_schema': {
    words: 'JSON Schema of the input.',
    sample: { type: 'object', properties: '^{$2}', required: '^[$3]' },
    snippets: [{ label: 'input schema', body: { type: 'object', properties: '^{$1}', required: '^[$2]' } }],
  },
  'custom.description': 'What the tool does and when to use it.',
  'custom.eager_input_streaming': 'Streams the input while it is generated.',
  strict: 'Guarantees that calls match the schema.',
  defer_loading: 'Leaves the tool out of the prompt until a tool search finds it.',
  allowed_callers: { words: 'Who may call the tool: the model (`direct`), or code that it runs.', examples: [['direct']] },
  display_height_px: { words: '', sample: `^\${1:768}` },
  display_width_px: { words: '', sample: `^\${2:1024}` },
  enable_zoom: 'Lets the model view a part of the screen at full resolution.',
  max_characters: 'Maximum number of characters of a file to show.',
  allowed_domains: "Can't be combined with `blocked_domains`.",
  user_location: 'Location of the user, for local results.',
  'user_location.country': 'Two-letter country code (ISO 3166).',
  response_inclusion: 'Whether the answer contains the full results.',
  'citations.enabled': { words: '', default: false },
  max_content_tokens: 'Maximum number of tokens of a fetched page.',
  use_cache: 'Whether a page may come from the cache.',
  'advisor_20260301.model': '',
  'mcp_toolset.mcp_server_name': 'Name of a server in `mcp_servers`.',
  'mcp_toolset.configs': 'Settings of individual tools, by name.',
  'mcp_toolset.default_config': 'Settings of all tools not listed in `configs`.',

  // Fields of turns and blocks.
  'messages.content': 'A string, or content blocks.',
  cache_control: 'Caches the prompt up to this block. Later requests with the same prefix read it from the cache.',
  ttl: { words: 'Lifetime of the cache after its last use.', default: '5m' },
  'image.source': {
    words: 'Base64 data, a URL, or an uploaded file.',
    sample: { type: 'base64', media_type: `\${1:image/png}`, data: '$2' },
  },
  'document.source': {
    words: 'A base64 PDF, plain text, blocks, a URL, or an uploaded file.',
    sample: { type: 'text', media_type: 'text/plain', data: '$1' },
  },
  file_id: 'ID of an uploaded file (`file_…`).',
  context: "Information about the document. It isn't cited.",
  signature: "Signature from the service. Don't change it.",
  input: { words: '', sample: '^{$1}' },
  tool_use_id: '`id` of the tool call.',
  is_error: { words: '', default: false },
  tool: { words: '', sample: { type: 'tool_reference', name: `\${1:name}` } },
};

/**
 * Documentation of every field of the request schemas, keyed by `owner.field` if an owner needs its own text, or by `field`. The owner is
 * the `type` of a variant, or the field that contains the object.
 */
export const fieldGuide: ReadonlyMap<string, string | FieldGuide> = new Map(Object.entries(fields));
