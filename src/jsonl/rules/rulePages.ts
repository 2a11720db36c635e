import type { RuleId } from './ruleTable';

/** What people read about a rule. Each is a sentence or two; the README has the same in a table. */
export interface RulePage {
  readonly title: string;
  /** What it finds. */
  readonly finds: string;
  /** Why that matters: the rule of the service in words. */
  readonly why: string;
  /** What to do. */
  readonly act: string;
}

const page = (title: string, finds: string, why: string, act: string): RulePage => ({ title, finds, why, act });

const closed = 'The service refuses a request with it, hours after the batch was made.';

/** A page for every rule. */
export const rulePages: Readonly<Record<RuleId, RulePage>> = {
  'json-syntax': page(
    'Broken JSON',
    'A line that is not one JSON value.',
    'A batch is made of JSON objects, one on each line. Nothing of a broken line can be sent.',
    'Fix the marked place.',
  ),
  'duplicate-key': page(
    'Field twice in one object',
    'A key that stands twice in the same object.',
    'JSON does not say which of the two counts; services take the last, the first, or refuse the line. What is sent may not be what is meant, so it counts as an error.',
    'Remove one of them.',
  ),
  'lone-surrogate': page(
    'Half of a character',
    'An escape such as \\ud83d without its other half.',
    'Half of a surrogate pair is no character. Services differ: some refuse the request, others read another character in its place.',
    'Remove it or complete the pair.',
  ),
  'too-deep': page(
    'Nested too deep',
    'Objects and arrays inside each other, more than 512 levels.',
    'What is nested so deep is not read here, so nothing on the line can be judged; most services refuse it too.',
    'Write it flatter.',
  ),
  'number-precision': page(
    'Number that may change',
    'A number that JavaScript reads as another one: beyond 2^53, with more digits than a double keeps, or too small; a warning when it is so large that it becomes infinite.',
    'It is sent as it stands. A service or program that reads numbers as doubles sees the other value.',
    'Write it as a text if every digit matters.',
  ),
  'not-a-request': page(
    'Not a request',
    'A line that is neither a request nor the params of one.',
    'A line must have `custom_id` and `params`, or be message params alone, for which an id is made.',
    'Bring it into one of the two forms, or convert the file.',
  ),
  'blank-line': page(
    'Empty line',
    'A line with nothing on it.',
    'It is skipped. Ids that are made count it as a line.',
    'Remove it if you like.',
  ),
  'missing-field': page('Missing field', 'A required field that is not there.', closed, 'Add it.'),
  'unknown-field': page(
    'Unknown field',
    'A field that has no place in its object, often a slip of its name. A warning in a tool of your own, and where the object may have other fields and the name is close to one it knows.',
    'The service allows no additional fields in a request, its params, messages, fallbacks, MCP servers and its own tools.',
    'Correct the name, or remove the field.',
  ),
  'wrong-type': page(
    'Wrong type',
    'A text where a number must stand, an object where a list must, and the like.',
    closed,
    'Write a value of the type that is named.',
  ),
  'value-not-allowed': page(
    'Value not allowed',
    'A value that is none of those a field takes.',
    closed,
    'Take one of those that are named.',
  ),
  'number-out-of-range': page(
    'Number out of range',
    'A number below the least or above the largest that is allowed.',
    closed,
    'Write one within the range.',
  ),
  'text-length': page(
    'Text too short or too long',
    'A text with fewer or more characters than allowed.',
    closed,
    'Shorten it, or write something.',
  ),
  'item-count': page('Too few or too many items', 'A list with fewer or more items than allowed.', closed, 'Remove or add items.'),
  'text-pattern': page(
    'Text of another form',
    'An id or a name with characters it must not have.',
    'A `custom_id` has 1 to 64 letters a-z and A-Z, digits, _ and -; tool names have up to 128 of them. A wrong id makes the service refuse the whole batch.',
    'Take the other characters out.',
  ),
  'newer-field': page(
    'Field of newer services',
    'A field that newer services know and the contract does not.',
    'The contract allows no additional fields: its services refuse the request. On a connection of the newer dialect it is no problem.',
    'Remove it, or connect to a newer service.',
  ),
  'unknown-variant': page(
    'Type that is not known here',
    'A tool or content block of a type that this extension does not know.',
    'New types come with a date in their name. What is in it is sent unchecked.',
    'Make sure that your service knows it.',
  ),
  'thinking-budget': page(
    'Thinking budget beyond max_tokens',
    'A `budget_tokens` above `max_tokens` (error) or equal to it (warning), also in a fallback.',
    'Thinking tokens are counted in `max_tokens`: the budget must fit into it, and an answer needs room beside it.',
    'Raise `max_tokens` or lower the budget.',
  ),
  'credit-with-fallbacks': page(
    'Fallback credit together with fallbacks',
    'A `fallback_credit_token` and `fallbacks` in one request.',
    'The service refuses the two together, whatever the mode of the token.',
    'Remove one of them.',
  ),
  'credit-needs-beta': page(
    'Fallback credit as an object without its beta',
    'The object form of `fallback_credit_token` on a connection that does not send the beta `fallback-credit-2026-07-01`.',
    'Without that beta the service takes the bare string only.',
    "Add the beta to the connection's `betas`, or write the bare token.",
  ),
  'credit-extended-form': page(
    'Fallback credit that cannot be extended',
    'A fallback credit and an assistant message at the end, together with an output format, a forced `tool_choice`, or white space at the end of the text.',
    'A body that was extended by the partial answer must not have these.',
    'Remove them, or the assistant message.',
  ),
  'credit-expires': page(
    'Fallback credit in a batch',
    'A `fallback_credit_token` in a request of a batch.',
    'It can be redeemed within 5 minutes of the refusal; a batch may take 24 hours.',
    'Remove it, and send such requests one by one.',
  ),
  'user-profile-conflict': page(
    'User profile that contradicts the batch',
    'A `user_profile_id` that is not the user profile of the connection.',
    'Every request of a batch is attributed to the user profile that is sent with it. The service refuses a request that names another one.',
    'Remove the field, or change the user profile under Details of the sheet.',
  ),
  'sampling-rejected': page(
    'Sampling the model rejects',
    'A `temperature` other than 1, any `top_k`, or a `top_p` below 0.99 for a model after the sixth-generation flagship; a warning for that of a fallback.',
    'Such models answer 400.',
    'Remove the field.',
  ),
  'model-limit': page(
    'More than the model gives',
    'A `max_tokens` above what the connection lists for the model, or `speed` `fast` for a model that it lists without it.',
    closed,
    'Lower `max_tokens`, or remove `speed`.',
  ),
  'deprecated-field': page(
    'Deprecated field',
    '`temperature`, `top_k`, `top_p` or `output_format`.',
    'They are still taken, but newer models reject the first three, and `output_config.format` takes the place of the last.',
    'Remove the field, or move the format.',
  ),
  'deprecated-model': page(
    'Deprecated model',
    'A model whose support ends or has ended.',
    'Support of `vendor-mythos-preview` ends on 2026-06-30.',
    'Change to the model that is named.',
  ),
  'unknown-model': page(
    'Model the connection does not list',
    'A model that neither the connection nor the contract names; without a known connection only an empty name, white space around it, and what looks like a slip of a name of the contract.',
    'The field takes any name, so it may be right; more often it is a slip.',
    'Correct the name.',
  ),
  'stream-in-batch': page(
    'Stream in a batch',
    'The field `stream`: `true` is a warning, `false` a hint.',
    'A batch gives its answers as one file when it has ended.',
    'Remove the field.',
  ),
  'system-role': page(
    'System role in a message',
    'A message with the role `system`.',
    'There is no system role for messages; the system prompt is the field `system`.',
    'Move the text to `system`.',
  ),
  'no-messages': page(
    'No messages',
    'An empty list of messages.',
    'There is nothing to answer, and services refuse it.',
    'Add a message with the role `user`.',
  ),
  'empty-content': page(
    'Empty message',
    'A message whose content is an empty text (error) or an empty list (warning).',
    'A text equals one text block, and the text of a block has at least one character. An empty list says as little, and services refuse it.',
    'Write something, or remove the message.',
  ),
  'zero-max-tokens': page(
    'max_tokens is 0',
    'A request that asks for no tokens.',
    'It fills the prompt cache and has no answer.',
    'Raise `max_tokens` if you want an answer.',
  ),
  'tool-not-defined': page(
    'Tool that is not there',
    'A `tool_choice` that forces a tool when there is none, or none of that name.',
    'The model cannot use a tool it was not given; services refuse the request.',
    'Add the tool, correct its name, or remove `tool_choice`.',
  ),
  'duplicate-tool': page(
    'Tool name twice',
    'Two tools of one name.',
    'A call could not be told to belong to one of them; services refuse it.',
    'Give each tool a name of its own.',
  ),
  'duplicate-server': page(
    'MCP server name twice',
    'Two entries of `mcp_servers` with one name.',
    'A toolset could not be told to belong to one of them; services refuse it.',
    'Give each server a name of its own.',
  ),
  'server-not-defined': page(
    'MCP server that is not there',
    'An `mcp_toolset` whose server is not in `mcp_servers`.',
    'Its tools cannot be found.',
    'Add the server or correct the name.',
  ),
  'tool-pairs': page(
    'Tool call without its result',
    'A `tool_use` that no `tool_result` of the next user turn answers, a `tool_result` that answers none or a second time, or an id that two calls have.',
    closed,
    'Add the result, correct the id, or remove the block.',
  ),
  'picture-type': page(
    'Picture of another type',
    'A picture or document in base64 whose first bytes contradict its `media_type`, or whose `data` begins with `data:`.',
    closed,
    'Change `media_type` to the type of the bytes, or remove what stands before them.',
  ),
  'cache-markers': page(
    'Cache markers',
    'More than four `cache_control` markers in one request, or a marker for one hour behind one for five minutes, in the order tools, system, messages.',
    closed,
    'Remove a marker, or change its `ttl`.',
  ),
  prefill: page(
    'Answer that is not continued',
    'A last message of the role `assistant` for a model that does not continue it, with a thinking budget or an output schema, or with white space at its end.',
    'The answer would continue the message (prefill). The contract says that models can forbid it, but not which. This rule assumes it of models newer than vendor-haiku-4-5.',
    'Remove the message, the field beside it, or the white space.',
  ),
  'forced-tool-thinking': page(
    'Forced tool with thinking',
    'A `tool_choice` of `any` or `tool` in a request with a thinking budget.',
    closed,
    'Let the model choose (`auto`), or remove `thinking`.',
  ),
  'emptied-thinking': page(
    'Signed thinking without text',
    'A `thinking` block that has a signature and an empty text, unless `thinking.display` is `omitted`.',
    'The signature covers the text. Answers with `display` `omitted` come without one; if a tool took it out, services refuse the block.',
    'Write the text back as it came, or remove the block.',
  ),
  'output-format-twice': page(
    'Output format twice',
    '`output_format` and `output_config.format` in one request.',
    'Both say the same thing, and may say it differently.',
    'Remove `output_format`.',
  ),
  'personal-user-id': page(
    'Personal data as user id',
    'A `metadata.user_id` that looks like an e-mail address or a phone number.',
    'The id must be opaque: no names, e-mail addresses or phone numbers.',
    'Write an id of your own, such as a hash.',
  ),
  'token-in-file': page(
    'Secret in the file',
    'An `authorization_token` of an MCP server.',
    'It is a secret; whoever reads the file can use it.',
    'Keep the file to yourself, and do not commit it.',
  ),
  'duplicate-id': page(
    'Id used twice',
    'A `custom_id` that another line has too.',
    'Ids are unique within a batch, as they bring answers and requests together. The service refuses the whole batch.',
    'Give each request an id of its own.',
  ),
  'made-id-taken': page(
    'Id that will be made for another line',
    'A given `custom_id` such as `line-3` while line 3 has none and gets it.',
    'The two would be the same.',
    'Choose another id here.',
  ),
  'no-requests': page('No requests', 'A file without a request.', 'A batch has at least one.', 'Write one.'),
  'too-many-requests': page(
    'Too many requests',
    'More requests than one batch may have.',
    'A batch has at most 100,000, or what the connection says.',
    'Create a batch of it: it goes as several, which show and act as one. Or split the file.',
  ),
  'body-too-large': page(
    'Batch too large',
    'A file that makes a larger body than the connection allows.',
    'The service refuses what is larger.',
    'Create a batch of it: it goes as several, which show and act as one. Or split the file.',
  ),
  'request-too-large': page(
    'Request too large',
    'A single request larger than the connection allows for a batch.',
    'Splitting the file does not help it.',
    'Shorten the request.',
  ),
  'line-too-long': page(
    'Line too long',
    'A line of more than 64 MiB.',
    'No service takes such a request; it is not looked into.',
    'Look whether line feeds were lost.',
  ),
  'not-utf8': page(
    'Not UTF-8',
    'Bytes that are no text in UTF-8.',
    'JSON is UTF-8. Nothing of such a line can be sent.',
    'Save the file as UTF-8.',
  ),
  'byte-order-mark': page(
    'Byte order mark',
    'A byte order mark at the beginning of the file. The editor hides it: only "Check Request File" finds it.',
    'It is not sent; other readers of JSONL may lose the first line.',
    'Save the file as UTF-8 without it.',
  ),
  'carriage-returns': page(
    'CR LF',
    'Lines that end with CR LF.',
    'The CR is not sent.',
    'Change the line ends to LF if other readers mind.',
  ),
  'no-last-newline': page(
    'No line feed at the end',
    'A last line without a line feed.',
    'It is read like any other; what is appended would join it.',
    'End the file with a line feed.',
  ),
};
