/** Documentation of a request field in Markdown, and the editor's completions for it. */
export interface FieldGuide {
  readonly words: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** Reason for the deprecation and what to use instead. */
  readonly deprecated?: string;
  /** Initial value of the field in a new object, in VS Code's snippet syntax. A text that starts with `^` is not JSON text. */
  readonly sample?: unknown;
  /** Whole values to offer, in the same syntax. For a list, its items. */
  readonly snippets?: readonly { readonly label: string; readonly body: unknown }[];
}

const fields: Readonly<Record<string, string | FieldGuide>> = {
  // Fields of a batch request.
  'request.custom_id':
    'Your own name for this request, unique within the file. Results come in any order: only this id tells which request they answer.',
  'request.params': {
    words: 'The message to create: `model`, `max_tokens` and `messages`, and whatever else shapes the answer.',
    snippets: [
      {
        label: 'params',
        body: { model: '$1', max_tokens: `^\${2:1024}`, messages: [{ role: 'user', content: '$3' }] },
      },
    ],
  },

  // Fields of `params`.
  model: 'The model that answers. The service takes any name that its workspace exposes.',
  'params.messages': {
    words:
      'The conversation so far, in turns. Turns of the same role that follow each other are merged. When the last turn is the assistant’s, the answer continues its text (prefill), on models that allow it.',
    snippets: [
      { label: 'user message', body: { role: 'user', content: '$1' } },
      { label: 'assistant message', body: { role: 'assistant', content: '$1' } },
      { label: 'message with blocks', body: { role: 'user', content: [{ type: 'text', text: '$1' }] } },
    ],
  },
  'params.max_tokens': {
    words:
      'The most tokens to generate; the model may stop earlier. A thinking budget counts in. `0` only fills the prompt cache and generates nothing. Each model has its own upper bound.',
    examples: [1024, 4096, 16_000],
  },
  'params.system': 'Instructions that hold for the whole conversation: a text, or text blocks (which can carry cache marks).',
  'params.stop_sequences':
    'Texts at which the model stops. The answer then has the `stop_reason` `stop_sequence` and names the one that was met.',
  'params.stream': 'Answer as server-sent events. Meaningless in a batch: results are written to a file.',
  'params.temperature': {
    words: 'How random the answer is: near 0 for analysis, near 1 for invention.',
    default: 1,
    deprecated: 'temperature is deprecated: newer models accept no value but 1. Leave it out.',
  },
  'params.top_k': {
    words: 'Choose each token among the k likeliest only.',
    deprecated: 'top_k is deprecated: newer models reject it. Leave it out.',
  },
  'params.top_p': {
    words: 'Choose each token among the likeliest that together have this probability.',
    deprecated: 'top_p is deprecated: newer models accept only 0.99 and more. Leave it out.',
  },
  'params.metadata': 'What the service may know about the request beside its text.',
  'metadata.user_id': 'An opaque id of the user behind the request, such as a hash; never a name, e-mail address or phone number.',
  'params.service_tier': 'Whether capacity that was reserved for you may be used.',
  speed: 'How fast the answer is written. Combinations with models that do not support it are refused.',
  'params.inference_geo': 'The geographic region in which the model runs; without it the workspace’s own default holds.',
  'params.cache_control':
    'Marks the last block that can be cached, so that the next request with the same beginning reads it from the cache.',
  'params.container': 'The container that tools run in: the id of one to use again, or an object that also names skills.',
  'container.id': 'Id of a container of an earlier answer; null or nothing makes a new one.',
  'container.skills': 'Skills that are loaded into the container.',
  'skills.skill_id': 'Id of the skill.',
  'skills.type': {
    words: 'Whose skill it is: `custom` for one of your own, or the vendor’s word for its own.',
    examples: ['custom', 'vendor'],
  },
  'skills.version': 'The version of the skill; without it the latest.',
  'params.context_management': 'How the context is kept small while the model works: edits that the service applies.',
  'context_management.edits': 'Edits of the context, each applied when its trigger is reached.',
  'edits.clear_at_least': 'Clear at least so much, so that losing the cache is worth it.',
  'edits.clear_tool_inputs': 'Whether the inputs of cleared calls go too: true for all, or the names of the tools.',
  'edits.exclude_tools': 'Tools whose results are never cleared.',
  'edits.keep': 'How much of the newest is kept.',
  'edits.trigger': 'When the edit is applied.',
  'edits.instructions': 'How the summary is to be written, in place of the usual instructions.',
  'edits.pause_after_compaction': 'End the answer after the summary, so that you can look at it first.',
  value: 'The number that is counted up to.',
  'params.diagnostics':
    'Ask why a prompt was not read from the cache: the answer then carries `diagnostics.cache_miss_reason`. On the first turn, give `previous_message_id` null.',
  'diagnostics.previous_message_id': 'The `id` (`msg_…`) of the answer before; null on the first turn.',
  'params.fallback_credit_token':
    'The token of a refusal, for its retry on another model: what the refused model had put into the cache is then billed as read from it. It holds for 5 minutes and never together with `fallbacks`. The body is the same, or has one `assistant` message more at its end, with the partial text (without white space at its end) and the blocks of server tools that came before the refusal (extended form, not with a forced `tool_choice` or an output format).',
  'fallback_credit_token.token': 'The token as it stood in `stop_details`. It is a secret.',
  'fallback_credit_token.mode': { words: 'What happens when the token cannot be redeemed.', default: 'strict' },
  'params.fallbacks':
    'Other models to try, in order, when the model refuses for reasons of policy; or `default` for the service’s own choice.',
  'fallbacks.max_tokens': 'Another `max_tokens` for this attempt.',
  'fallbacks.output_config': 'Another `output_config` for this attempt, replacing the whole.',
  'fallbacks.thinking': 'Other thinking for this attempt.',
  'params.mcp_servers': {
    words: 'MCP servers whose tools the model may use, at most 20. An `mcp_toolset` in `tools` names one of them.',
    snippets: [{ label: 'MCP server', body: { type: 'url', name: `\${1:name}`, url: `https://\${2:mcp.example.com}` } }],
  },
  'mcp_servers.name': 'The name that an `mcp_toolset` refers to.',
  'mcp_servers.url': 'The address of the server.',
  'mcp_servers.authorization_token': 'A token for the server. It is a secret: it will stand in the file as you write it.',
  'mcp_servers.tool_configuration': 'Which of the server’s tools may be used.',
  'tool_configuration.allowed_tools': 'Names of the tools that may be used; null for all.',
  'tool_configuration.enabled': 'Whether the server’s tools may be used at all.',
  output_config: 'The form of the answer, and how much work goes into it.',
  'output_config.effort': 'How much the model works: more effort, more tokens.',
  'output_config.format': 'Answer in JSON that follows a schema.',
  'output_config.task_budget': 'Tokens for a whole task, over several contexts. The model sees it and plans by it.',
  schema: { words: 'The JSON Schema that the answer follows.', sample: '^{$1}' },
  'task_budget.total': 'Tokens of the whole task.',
  'task_budget.remaining': 'Tokens that are left of it.',
  'params.output_format': {
    words: 'Answer in JSON that follows a schema. Its new place is `output_config.format`.',
    deprecated: 'output_format is deprecated: use output_config.format.',
  },
  'params.thinking': 'Whether the model thinks before it answers.',
  'enabled.budget_tokens': 'Tokens that thinking may use. They count in `max_tokens`, which must be larger.',
  display: 'How thinking stands in the answer.',
  'params.tool_choice': 'Whether and which tool the model calls.',
  disable_parallel_tool_use: { words: 'Call one tool at most.', default: false },
  'tool.name': { words: 'Name of the tool to call.' },
  'params.tools': 'What the model can call: tools of yours (`custom`) and tools of the service, each by its dated type.',
  'params.user_profile_id': 'The user profile that the request is attributed to. It must not contradict the profile of the batch.',

  // Fields of tools.
  'custom.name': 'The name by which the model calls the tool.',
  'custom.input_schema': {
    words: 'The JSON Schema of the tool’s input.',
    sample: { type: 'object', properties: '^{$2}', required: '^[$3]' },
    snippets: [{ label: 'input schema', body: { type: 'object', properties: '^{$1}', required: '^[$2]' } }],
  },
  'custom.description': 'What the tool does and when to use it. The more the model knows, the better it chooses.',
  'custom.eager_input_streaming': 'Stream the input as it is written, without waiting for it to be whole.',
  'input_schema.properties': 'The fields of the input, each with its own schema.',
  'input_schema.required': 'Names of the fields that must be there.',
  strict: 'Guarantee that name and input of every call follow the schema.',
  defer_loading: 'Leave the tool out of the first prompt until a tool search finds it.',
  allowed_callers: { words: 'Who may call the tool: the model itself (`direct`), or code that it runs.', examples: [['direct']] },
  input_examples: 'Examples of the input.',
  name: 'The fixed name of this tool.',
  display_height_px: { words: 'Height of the screen in pixels.', sample: `^\${1:768}` },
  display_width_px: { words: 'Width of the screen in pixels.', sample: `^\${2:1024}` },
  display_number: 'Number of the X11 display.',
  enable_zoom: 'Let the model look at a part of the screen in full resolution.',
  max_characters: 'The most characters that a view of a file shows.',
  allowed_domains: 'Only these domains. Not together with `blocked_domains`.',
  blocked_domains: 'All domains but these.',
  max_uses: 'The most calls in one request.',
  user_location: 'Where the user is, so that results fit.',
  'user_location.city': 'City.',
  'user_location.country': 'Country, as two letters of ISO 3166.',
  'user_location.region': 'Region or state.',
  'user_location.timezone': 'Time zone, by its IANA name.',
  response_inclusion: 'Whether results stand in the answer in full.',
  citations: 'Whether the model cites from it.',
  'citations.enabled': { words: 'Whether the model cites.', default: false },
  max_content_tokens: 'The most tokens of a page that is fetched.',
  use_cache: 'Whether a page may come from the cache.',
  'advisor_20260301.model': 'The model that is asked for advice.',
  'advisor_20260301.caching': 'Caching of what the advisor reads.',
  'advisor_20260301.max_tokens': 'The most tokens of one piece of advice.',
  'mcp_toolset.mcp_server_name': 'Name of one of `mcp_servers`.',
  'mcp_toolset.configs': 'Exceptions, by name of the tool.',
  'mcp_toolset.default_config': 'What holds for every tool that `configs` does not name.',
  enabled: 'Whether the tool may be used.',

  // Fields of turns and blocks.
  'messages.role': 'Who speaks.',
  'messages.content': 'What is said: a text, or blocks of text, images, documents, tool calls and their results.',
  type: 'What kind of object this is; the other fields follow from it.',
  text: 'The text; at least one character.',
  cache_control: 'Marks the end of a beginning that later requests share: up to here the prompt is read from the cache.',
  'cache_control.ttl': { words: 'How long the cache is kept after it was last used.', default: '5m' },
  'caching.ttl': { words: 'How long the cache is kept after it was last used.', default: '5m' },
  'text.citations': 'Places that the text cites, as an earlier answer gave them.',
  cited_text: 'The text that is cited.',
  document_index: 'Number of the document, from 0.',
  document_title: 'Title of the document.',
  start_char_index: 'First character, from 0.',
  end_char_index: 'Behind the last character.',
  start_page_number: 'First page, from 1.',
  end_page_number: 'Behind the last page.',
  start_block_index: 'First block, from 0.',
  end_block_index: 'Behind the last block.',
  search_result_index: 'Number of the search result, from 0.',
  encrypted_index: 'Place in the search result, as the service gave it.',
  title: 'Title.',
  url: 'Address.',
  source: 'Where it comes from.',
  'image.source': {
    words: 'Where the image comes from: bytes in base64, an address, or an uploaded file.',
    sample: { type: 'base64', media_type: `\${1:image/png}`, data: '$2' },
  },
  'document.source': {
    words: 'Where the document comes from: a PDF in base64, plain text, blocks, an address, or an uploaded file.',
    sample: { type: 'text', media_type: 'text/plain', data: '$1' },
  },
  data: 'The content itself: base64, or plain text.',
  media_type: 'Kind of the content.',
  file_id: 'Id of an uploaded file (`file_…`).',
  context: 'What the model should know about the document; it is not cited.',
  content: 'The content: a text, or blocks.',
  signature: 'Signature of the thinking, as the service gave it; it must not be changed.',
  thinking: 'The thinking, as an earlier answer gave it.',
  id: 'Id of the call, which its result refers to.',
  input: { words: 'Input of the call.', sample: '^{$1}' },
  'tool_use.name': 'Name of the tool that was called.',
  'server_tool_use.name': 'Name of the service’s tool that was called.',
  'mcp_tool_use.name': 'Name of the server’s tool that was called.',
  caller: 'Who made the call: the model, or code that it ran.',
  tool_id: 'Id of the call of the code that made this one.',
  tool_use_id: 'The `id` of the call that this is the result of.',
  is_error: { words: 'Whether the call failed.', default: false },
  tool_name: 'Name of the tool that was found.',
  error_code: 'What went wrong, in the service’s words.',
  encrypted_content: 'Content that only the service reads, as it gave it.',
  encrypted_stdout: 'Output that only the service reads, as it gave it.',
  page_age: 'Age of the page.',
  retrieved_at: 'When the page was fetched.',
  stop_reason: 'Why the advisor stopped.',
  return_code: 'Exit code.',
  stderr: 'What was written to standard error.',
  stdout: 'What was written to standard output.',
  file_type: 'Kind of the file.',
  num_lines: 'Number of lines.',
  start_line: 'First line.',
  total_lines: 'Lines of the whole file.',
  is_file_update: 'Whether the file was there before.',
  lines: 'Lines of the change.',
  new_lines: 'Lines after the change.',
  new_start: 'First line after the change.',
  old_lines: 'Lines before the change.',
  old_start: 'First line before the change.',
  tool_references: 'Tools that were found.',
  server_name: 'Name of the MCP server.',
  'tool_reference.name': 'Name of the tool.',
  'mcp_tool_reference.name': 'Name of the server’s tool.',
  tool: { words: 'The tool that is added or taken away.', sample: { type: 'tool_reference', name: `\${1:name}` } },
  'fallback.from': 'The model that refused.',
  'fallback.to': 'The model that answered in its place.',
  'fallback.trigger': 'Why another model took over, as the service gave it.',
};

/**
 * Documentation of every field of the request schemas, by `owner.field` if an owner needs its own text, or by `field`. The owner is the
 * `type` of a variant, or the field whose value the object is.
 */
export const fieldGuide: ReadonlyMap<string, string | FieldGuide> = new Map(Object.entries(fields));
