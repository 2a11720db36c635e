import type { RuleId } from './ruleTable';

/** Documentation of a rule. Each field is a sentence or two. */
export interface RulePage {
  readonly title: string;
  /** Description of the findings. */
  readonly finds: string;
  /** Reason why they matter, usually a rule of the service. */
  readonly why: string;
  /** Instruction for the user. */
  readonly act: string;
}

const page = (title: string, finds: string, why: string, act: string): RulePage => ({ title, finds, why, act });

const closed = 'The service rejects such a request, hours after the batch was created.';

/** Documentation of every rule, keyed by its id. */
export const rulePages: Readonly<Record<RuleId, RulePage>> = {
  'json-syntax': page(
    'Broken JSON',
    "A line that isn't valid JSON.",
    "A batch has one JSON object per line. A broken line can't be sent.",
    'Fix the marked text.',
  ),
  'duplicate-key': page(
    'Duplicate field',
    'A key that occurs twice in one object.',
    "JSON doesn't say which one counts. Services take the first or the last, or reject the line.",
    'Remove one of them.',
  ),
  'lone-surrogate': page(
    'Incomplete character',
    'An escape such as \\ud83d without its other half.',
    "Half of a surrogate pair isn't a character. Some services reject the request, others replace it.",
    'Remove it or complete the pair.',
  ),
  'too-deep': page(
    'Nested too deep',
    'Objects and arrays nested more than 512 levels deep.',
    "Deeper values can't be checked, and most services reject them.",
    'Flatten the value.',
  ),
  'number-precision': page(
    'Number that may change',
    "A number that JavaScript can't represent exactly: beyond 2^53, with too many digits, or too small. A warning if it becomes infinite.",
    'It is sent unchanged, but programs that read numbers as doubles see another value.',
    'Use a string if every digit matters.',
  ),
  'not-a-request': page(
    'Not a request',
    'A line that is neither a request nor message params.',
    'A line has `custom_id` and `params`, or only message params, which get an ID.',
    'Use one of these forms, or convert the file.',
  ),
  'blank-line': page('Blank line', 'A line without content.', 'It is skipped, but counts for generated IDs.', 'Remove it if you want.'),
  'missing-field': page('Missing field', 'A required field is missing.', closed, 'Add it.'),
  'unknown-field': page(
    'Unknown field',
    "A field that its object doesn't have, often misspelled. A warning in custom tools, and in objects that allow other fields.",
    'The service allows no additional fields in requests, params, messages, fallbacks, MCP servers and its own tools.',
    'Correct the name, or remove the field.',
  ),
  'wrong-type': page(
    'Wrong type',
    'For example a string instead of a number, or an object instead of a list.',
    closed,
    'Use the expected type.',
  ),
  'value-not-allowed': page('Value not allowed', "A value that isn't one of the allowed values.", closed, 'Use one of the allowed values.'),
  'number-out-of-range': page(
    'Number out of range',
    'A number below the minimum or above the maximum.',
    closed,
    'Use a number within the range.',
  ),
  'text-length': page(
    'Text too short or too long',
    'A string with fewer or more characters than allowed.',
    closed,
    'Shorten or complete it.',
  ),
  'item-count': page('Too few or too many items', 'A list with fewer or more items than allowed.', closed, 'Remove or add items.'),
  'text-pattern': page(
    'Invalid characters',
    "An ID or name with characters that aren't allowed.",
    'A `custom_id` has 1 to 64 letters, digits, hyphens or underscores, a tool name up to 128. The service rejects the whole batch for one invalid ID.',
    'Remove the other characters.',
  ),
  'newer-field': page(
    'Field of newer services',
    'A field that only newer services accept.',
    'Services of the contract reject it. Connections with the newer dialect accept it.',
    'Remove it, or connect to a newer service.',
  ),
  'unknown-variant': page(
    'Unknown type',
    'A tool or content block of an unknown type.',
    'New types have a date in their name. The content is sent unchecked.',
    'Check that your service supports it.',
  ),
  'thinking-budget': page(
    'Thinking budget beyond max_tokens',
    '`budget_tokens` above `max_tokens` (error) or equal to it (warning), also in a fallback.',
    '`max_tokens` includes thinking tokens, so the budget must leave room for the answer.',
    'Raise `max_tokens` or lower the budget.',
  ),
  'credit-with-fallbacks': page(
    'Fallback credit with fallbacks',
    'A `fallback_credit_token` and `fallbacks` in one request.',
    'The service rejects the combination, whatever the mode of the token.',
    'Remove one of them.',
  ),
  'credit-needs-beta': page(
    'Fallback credit without its beta',
    'The object form of `fallback_credit_token` on a connection without the beta `fallback-credit-2026-07-01`.',
    'Without the beta, the service only accepts the bare token.',
    "Add the beta to the connection's `betas`, or use the bare token.",
  ),
  'credit-extended-form': page(
    "Fallback credit that can't be extended",
    'A fallback credit and a final assistant message, with an output format, a forced `tool_choice`, or trailing white space.',
    "A body that the partial answer extends can't have these.",
    'Remove one of them.',
  ),
  'credit-expires': page(
    'Fallback credit in a batch',
    'A `fallback_credit_token` in a request of a batch.',
    'It expires 5 minutes after the refusal. A batch can take 24 hours.',
    'Remove it, or send the request alone.',
  ),
  'user-profile-conflict': page(
    'Another user profile',
    "A `user_profile_id` other than the connection's.",
    'A batch belongs to one user profile. The service rejects a request with another one.',
    'Remove the field, or change the user profile under Details in the sheet.',
  ),
  'sampling-rejected': page(
    'Rejected sampling parameter',
    'A `temperature` other than 1, a `top_k`, or a `top_p` below 0.99 for a newer model. A warning in a fallback.',
    'Models after the sixth-generation flagship return 400.',
    'Remove the field.',
  ),
  'model-limit': page(
    'Model limit exceeded',
    "`max_tokens` above the model's maximum, or `speed` `fast` for a model without it, by the connection's list of models.",
    closed,
    'Lower `max_tokens`, or remove `speed`.',
  ),
  'deprecated-field': page(
    'Deprecated field',
    '`temperature`, `top_k`, `top_p` or `output_format`.',
    'They still work, but newer models reject the first three, and `output_config.format` replaces the last.',
    'Remove the field, or move the format.',
  ),
  'deprecated-model': page(
    'Deprecated model',
    'A model whose support ends or has ended.',
    'Support for `vendor-mythos-preview` ended on 2026-06-30.',
    'Use the suggested model.',
  ),
  'unknown-model': page(
    'Unlisted model',
    "A model that the connection doesn't list. Without a connection: an empty or misspelled name.",
    "The service accepts any name here, so it may be right, but it's often misspelled.",
    'Correct the name.',
  ),
  'stream-in-batch': page(
    'Streaming in a batch',
    'The field `stream`: `true` is a warning, `false` a hint.',
    'A batch returns its results as one file when it has ended.',
    'Remove the field.',
  ),
  'system-role': page(
    'System role in a message',
    'A message with the role `system`.',
    'The system prompt is the field `system`.',
    'Move the text to `system`.',
  ),
  'no-messages': page(
    'No messages',
    'An empty list of messages.',
    "There's nothing to answer, and services reject it.",
    'Add a message with the role `user`.',
  ),
  'empty-content': page(
    'Empty message',
    'A message with an empty string (error) or an empty list (warning).',
    'A text block needs at least one character, and services reject an empty list too.',
    'Add text, or remove the message.',
  ),
  'zero-max-tokens': page(
    'max_tokens is 0',
    '`max_tokens` is 0.',
    'The request fills the prompt cache and gets no answer.',
    'Raise `max_tokens` to get an answer.',
  ),
  'tool-not-defined': page(
    'Missing tool',
    "`tool_choice` forces a tool that the request doesn't have.",
    'Services reject the request.',
    'Add the tool, correct its name, or remove `tool_choice`.',
  ),
  'duplicate-tool': page(
    'Duplicate tool name',
    'Two tools with the same name.',
    "A call couldn't be assigned to one of them. Services reject the request.",
    'Rename one of them.',
  ),
  'duplicate-server': page(
    'Duplicate MCP server name',
    'Two entries of `mcp_servers` with the same name.',
    "A toolset couldn't be assigned to one of them. Services reject the request.",
    'Rename one of them.',
  ),
  'server-not-defined': page(
    'Missing MCP server',
    "An `mcp_toolset` whose server isn't in `mcp_servers`.",
    "Its tools can't be found.",
    'Add the server or correct the name.',
  ),
  'tool-pairs': page(
    'Unpaired tool call or result',
    'A `tool_use` without a `tool_result` in the next user message, a `tool_result` without its call or a second one, or two calls with the same ID.',
    closed,
    'Add the result, correct the ID, or remove the block.',
  ),
  'picture-type': page(
    'Wrong image type',
    "A base64 image or document whose first bytes don't match its `media_type`, or whose `data` starts with `data:`.",
    closed,
    'Correct `media_type`, or remove the prefix.',
  ),
  'cache-markers': page(
    'Cache markers',
    'More than four `cache_control` markers, or a one-hour marker after a five-minute one, in the order tools, system, messages.',
    closed,
    'Remove a marker, or change its `ttl`.',
  ),
  prefill: page(
    "Prefill that isn't continued",
    "A final `assistant` message for a model that can't continue it, with a thinking budget or output schema, or with trailing white space.",
    'The answer would continue the message (prefill). The contract says that models can forbid it, but not which. This rule assumes it for models newer than vendor-haiku-4-5.',
    'Remove the message, the field, or the white space.',
  ),
  'forced-tool-thinking': page(
    'Forced tool with thinking',
    '`tool_choice` `any` or `tool` with a thinking budget.',
    closed,
    'Use `auto`, or remove `thinking`.',
  ),
  'emptied-thinking': page(
    'Signed thinking without text',
    'A `thinking` block with a signature but no text, unless `thinking.display` is `omitted`.',
    'The signature covers the text. Services reject the block if a tool removed the text.',
    'Restore the text, or remove the block.',
  ),
  'output-format-twice': page(
    'Duplicate output format',
    '`output_format` and `output_config.format` in one request.',
    'They set the same thing and can contradict each other.',
    'Remove `output_format`.',
  ),
  'personal-user-id': page(
    'Personal data as user ID',
    'A `metadata.user_id` that looks like an email address or phone number.',
    'The ID must be opaque: no names, email addresses or phone numbers.',
    'Use an opaque ID, such as a hash.',
  ),
  'token-in-file': page(
    'Secret in the file',
    "An MCP server's `authorization_token`.",
    'Anyone with access to the file can use it.',
    "Don't share or commit the file.",
  ),
  'duplicate-id': page(
    'Duplicate ID',
    'A `custom_id` that another line has too.',
    'IDs match results with requests. The service rejects the whole batch.',
    'Use a unique ID.',
  ),
  'made-id-taken': page(
    'ID of another line',
    'A `custom_id` such as `line-3` while line 3 has none and gets it.',
    'Both requests would have the same ID.',
    'Choose another ID.',
  ),
  'no-requests': page('No requests', 'A file without a request.', 'A batch needs at least one.', 'Add a request.'),
  'too-many-requests': page(
    'Too many requests',
    'More requests than one batch can have.',
    "A batch can have 100,000 requests, or the connection's limit.",
    'Send it as several batches, shown as one, or split the file.',
  ),
  'body-too-large': page(
    'Batch too large',
    'A request body larger than the connection allows.',
    'The service rejects larger bodies.',
    'Send it as several batches, shown as one, or split the file.',
  ),
  'request-too-large': page(
    'Request too large',
    'A single request larger than the connection allows for a batch.',
    "Splitting the file doesn't help.",
    'Shorten the request.',
  ),
  'line-too-long': page(
    'Line too long',
    'A line of more than 64 MiB.',
    "No service accepts such a request. It isn't checked.",
    'Check for missing line feeds.',
  ),
  'not-utf8': page('Not UTF-8', "Bytes that aren't valid UTF-8.", "JSON is UTF-8. Such a line can't be sent.", 'Save the file as UTF-8.'),
  'byte-order-mark': page(
    'Byte order mark',
    'A byte order mark at the start of the file, which the editor hides.',
    "It isn't sent, but other JSONL readers may lose the first line.",
    'Save the file as UTF-8 without BOM.',
  ),
  'carriage-returns': page(
    'CR LF',
    'Lines that end with CR LF.',
    "The CR isn't sent.",
    'Change the line endings to LF if other readers need it.',
  ),
  'no-last-newline': page('Missing final line feed', 'The last line has no line feed.', 'Appended text would join it.', 'Add a line feed.'),
};
