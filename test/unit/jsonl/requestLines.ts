import fc from 'fast-check';
import { anyCharacter } from '../../helpers/anyCharacter';

const cacheControl = fc.constantFrom(null, { type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' });
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('a "quoted" word', 'C:\\path\nnext', '😀 é \u2028 \u0007', 'x'.repeat(200)),
);
const free = fc
  .jsonValue({ maxDepth: 3, stringUnit: anyCharacter })
  .map(value => ({ value, nested: { 'key with space': [value, 1.5e3, -0.25] } }));
const identifier = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const textBlock = fc.record({ type: fc.constant('text'), text, cache_control: optional(cacheControl) });
const image = fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } });
const block = fc.oneof(
  textBlock,
  image,
  fc.record({ type: fc.constant('tool_use'), id: identifier, name: text.map(name => Array.from(name).slice(0, 10).join('')), input: free }),
  fc.record({
    tool_use_id: identifier,
    content: fc.oneof(text, fc.array(fc.oneof(textBlock, image), { maxLength: 2 })),
    type: fc.constant('tool_result'),
  }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: fc.constant('c2ln') }),
  fc.constant({
    type: 'document',
    source: { type: 'text', data: 'x', media_type: 'text/plain' },
    title: 'T',
    citations: { enabled: true },
  }),
  fc.constant({ type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'x' } }),
);
const tool = fc.oneof(
  fc.record({
    name: identifier,
    description: text,
    input_schema: fc.record({ type: fc.constant('object'), properties: free, required: optional(fc.array(text, { maxLength: 2 })) }),
  }),
  fc.constantFrom(
    { type: 'bash_20250124', name: 'bash' },
    { name: 'web_search', type: 'web_search_20250305', max_uses: 3, user_location: { type: 'approximate', country: 'DE' } },
    { type: 'computer_20250124', name: 'computer', display_height_px: 800, display_width_px: 600 },
    { type: null, name: 'a', input_schema: { type: 'object' } },
  ),
);
const params = fc.record(
  {
    model: fc.constantFrom('vendor-opus-4-8', 'm'),
    max_tokens: fc.nat(200_000),
    messages: fc.array(
      fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.oneof(text, fc.array(block, { maxLength: 4 })) }),
      {
        maxLength: 3,
      },
    ),
    system: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })),
    temperature: fc.constantFrom(0, 1, 0.7, 0.25),
    top_k: fc.nat(100),
    stop_sequences: fc.array(text, { maxLength: 2 }),
    metadata: fc.record({ user_id: fc.oneof(identifier, fc.constant(null)), other: free }),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom({ type: 'auto' }, { type: 'tool', name: 'x', disable_parallel_tool_use: true }),
    thinking: fc.constantFrom({ type: 'enabled', budget_tokens: 1024 }, { type: 'disabled' }),
    container: fc.constantFrom(null, 'c', { skills: [{ skill_id: 's', type: 'custom', version: 'latest' }] }),
    fallbacks: fc.constantFrom('default', null, [{ model: 'm', max_tokens: null }]),
    service_tier: fc.constant('auto'),
    speed: fc.constantFrom(null, 'fast'),
    cache_control: cacheControl,
  },
  { requiredKeys: ['model', 'max_tokens', 'messages'] },
);

/** Changes the order of keys. */
const shuffled = <T extends object>(value: fc.Arbitrary<T>) =>
  value.chain(object => fc.shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length }).map(Object.fromEntries));

/** Escapes non-ASCII characters, as some JSON writers do. */
const escaped = (line: string) => line.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Valid request lines, whole and bare. */
export const requestLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(shuffled(fc.record({ custom_id: identifier, params: shuffled(params) })), shuffled(params)),
    fc.constantFrom(0, 1),
    fc.boolean(),
    fc.constantFrom('', ' ', '\r'),
  )
  .map(([value, space, toAscii, end]) => {
    const pretty = space === 0 ? JSON.stringify(value) : JSON.stringify(value, null, 1).replace(/\n */g, ' ');
    return (toAscii ? escaped(pretty) : pretty) + end;
  });
