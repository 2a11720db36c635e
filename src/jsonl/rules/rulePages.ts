import type { RuleId } from './ruleTable';

export const rulePages: Readonly<Record<RuleId, { readonly title: string; readonly text: string }>> = {
  'json-syntax': { title: 'Broken JSON', text: "A batch has one JSON object per line. A line that isn't valid JSON can't be sent." },
  'duplicate-key': {
    title: 'Duplicate field',
    text: 'A key that occurs twice in one object. Services take the first or the last, or reject the line.',
  },
  'lone-surrogate': {
    title: 'Incomplete character',
    text: 'An unpaired surrogate such as \\ud83d. Some services reject the request, others replace the character.',
  },
  'too-deep': {
    title: 'Nested too deep',
    text: "Values nested more than 512 levels deep can't be checked, and most services reject them.",
  },
  'number-precision': {
    title: 'Number may lose precision',
    text: "A number that JavaScript can't represent exactly. It is sent unchanged, but many programs read a different value: use a string if every digit matters.",
  },
  'not-a-request': {
    title: 'Not a request',
    text: 'A line needs `custom_id` and `params`, or bare message params. Bare params get a generated ID.',
  },
  'blank-line': { title: 'Blank line', text: 'Blank lines are skipped, but count as lines when IDs are generated.' },
  'missing-field': { title: 'Missing field', text: 'A required field is missing. The service rejects the request.' },
  'unknown-field': {
    title: 'Unknown field',
    text: "A field that the object doesn't define, often a misspelling. A warning where the service allows additional fields.",
  },
  'wrong-type': { title: 'Wrong type', text: 'A value of the wrong type, such as a string instead of a number.' },
  'value-not-allowed': { title: 'Value not allowed', text: "A value that isn't one of the allowed values." },
  'number-out-of-range': { title: 'Number out of range', text: 'A number below the minimum or above the maximum.' },
  'text-length': { title: 'Text too short or too long', text: 'A string with fewer or more characters than allowed.' },
  'item-count': { title: 'Too few or too many items', text: 'A list with fewer or more items than allowed.' },
  'text-pattern': {
    title: 'Invalid characters',
    text: 'A `custom_id` has 1 to 64 letters, digits, hyphens or underscores, a tool name up to 128. The service rejects the whole batch for one invalid ID.',
  },
  'newer-field': {
    title: 'Field only newer services accept',
    text: 'Services with the `contract` dialect reject it. Services with a newer dialect accept it.',
  },
  'unknown-variant': {
    title: 'Unknown type',
    text: 'A tool or content block of an unknown type. It is sent unchecked: check that your service supports it.',
  },
  'thinking-budget': {
    title: 'Thinking budget beyond max_tokens',
    text: '`max_tokens` includes thinking tokens, so `budget_tokens` must be lower (error if above, warning if equal).',
  },
  'credit-with-fallbacks': {
    title: 'Fallback credit with fallbacks',
    text: 'The service rejects `fallback_credit_token` and `fallbacks` in one request.',
  },
  'credit-needs-beta': {
    title: 'Fallback credit without its beta',
    text: "The object form of `fallback_credit_token` needs `fallback-credit-2026-07-01` in the connection's `betas`. Without it, use the bare token.",
  },
  'credit-extended-form': {
    title: "Fallback credit that can't be extended",
    text: "A fallback credit with a final assistant message can't have an output format, a forced `tool_choice`, or trailing whitespace.",
  },
  'credit-expires': {
    title: 'Fallback credit in a batch',
    text: 'A fallback credit expires 5 minutes after the refusal, but a batch can take 24 hours. Send the request alone.',
  },
  'user-profile-conflict': {
    title: 'Another user profile',
    text: "A batch belongs to one user profile. The service rejects a request whose `user_profile_id` differs from the connection's.",
  },
  'sampling-rejected': {
    title: 'Rejected sampling parameter',
    text: 'Models after the sixth-generation flagship reject `top_k`, a `temperature` other than 1, and a `top_p` below 0.99. A warning in a fallback.',
  },
  'model-limit': {
    title: 'Model limit exceeded',
    text: "`max_tokens` above the model's maximum, or `speed` `fast` for a model without it, according to the connection's list of models.",
  },
  'deprecated-field': {
    title: 'Deprecated field',
    text: 'Newer models reject `temperature`, `top_k` and `top_p`, and `output_config.format` replaces `output_format`.',
  },
  'deprecated-model': {
    title: 'Deprecated model',
    text: 'A model whose support ends or has ended. Support for `vendor-mythos-preview` ended on 2026-06-30.',
  },
  'unknown-model': {
    title: 'Unlisted model',
    text: "A model that the connection doesn't list. The name may be misspelled.",
  },
  'stream-in-batch': {
    title: 'Streaming in a batch',
    text: "Batches can't stream: the results are one file when the batch has ended. `true` is a warning, `false` a hint.",
  },
  'system-role': {
    title: 'System role in a message',
    text: "Messages can't have the role `system`: the system prompt is the field `system`.",
  },
  'no-messages': { title: 'No messages', text: 'A request needs at least one message. Services reject an empty list.' },
  'empty-content': { title: 'Empty message', text: 'Services reject a message with an empty string (error) or an empty list (warning).' },
  'zero-max-tokens': { title: 'max_tokens is 0', text: 'The request fills the prompt cache and gets no answer.' },
  'tool-not-defined': { title: 'Missing tool', text: "`tool_choice` forces a tool that the request doesn't have." },
  'duplicate-tool': { title: 'Duplicate tool name', text: 'Two tools with the same name. Services reject the request.' },
  'duplicate-server': {
    title: 'Duplicate MCP server name',
    text: 'Two entries of `mcp_servers` with the same name. Services reject the request.',
  },
  'server-not-defined': { title: 'Missing MCP server', text: "An `mcp_toolset` whose server isn't in `mcp_servers`." },
  'tool-pairs': {
    title: 'Unpaired tool call or result',
    text: 'Each `tool_use` needs its own ID and one `tool_result` in the next user message, and each `tool_result` needs its call.',
  },
  'picture-type': {
    title: 'Wrong image type',
    text: "A base64 image or document whose first bytes don't match its `media_type`, or whose `data` starts with `data:`.",
  },
  'cache-markers': {
    title: 'Cache markers',
    text: 'A request can have four `cache_control` markers. One-hour markers come before five-minute ones, in the order tools, system, messages.',
  },
  prefill: {
    title: "Prefill the model can't continue",
    text: "A final `assistant` message that the model can't continue: with a thinking budget, an output schema or trailing whitespace, or for models newer than vendor-haiku-4-5.",
  },
  'forced-tool-thinking': { title: 'Forced tool with thinking', text: "With a thinking budget, `tool_choice` can't be `any` or `tool`." },
  'emptied-thinking': {
    title: 'Signed thinking without text',
    text: 'The signature of a `thinking` block covers its text. Services reject the block if the text was removed, unless `thinking.display` is `omitted`.',
  },
  'output-format-twice': {
    title: 'Duplicate output format',
    text: '`output_format` and `output_config.format` set the same thing and can contradict each other.',
  },
  'personal-user-id': {
    title: 'Personal data as user ID',
    text: '`metadata.user_id` must be opaque, such as a hash: no names, email addresses or phone numbers.',
  },
  'token-in-file': {
    title: 'Secret in the file',
    text: "Anyone with access to the file can use an MCP server's `authorization_token`. Don't share or commit the file.",
  },
  'duplicate-id': {
    title: 'Duplicate ID',
    text: 'IDs match results with requests. The service rejects the whole batch if two lines have the same `custom_id`.',
  },
  'made-id-taken': {
    title: 'ID conflicts with a generated ID',
    text: 'Line 3 has no ID and would get the ID `line-3`, but another line has this `custom_id`.',
  },
  'no-requests': { title: 'No requests', text: 'A batch needs at least one request.' },
  'too-many-requests': {
    title: 'Too many requests',
    text: "A batch can have 100,000 requests, or the connection's limit. Send the file as several batches, or split it.",
  },
  'body-too-large': {
    title: 'Batch too large',
    text: 'A batch larger than the connection allows. Send the file as several batches, or split it.',
  },
  'request-too-large': {
    title: 'Request too large',
    text: "A single request larger than the connection allows for a batch. Splitting the file doesn't help.",
  },
  'line-too-long': { title: 'Line too long', text: 'A line of more than 64 MiB, which no service accepts. Check for missing line feeds.' },
  'not-utf8': { title: 'Not UTF-8', text: "JSON is UTF-8. A line with other bytes can't be sent." },
  'byte-order-mark': {
    title: 'Byte order mark',
    text: "It is at the start of the file, and the editor hides it. It isn't sent, but other JSONL readers may lose the first line.",
  },
  'carriage-returns': { title: 'CR LF', text: "The CR isn't sent. If other programs require LF, change the line endings." },
  'no-last-newline': { title: 'Missing final line feed', text: 'Text appended to the file continues the last line.' },
};
