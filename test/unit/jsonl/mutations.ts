import fc from 'fast-check';
import { requestLine } from './requestLines';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Position of a value: the container, and the key or index in the container. */
type Place = readonly [container: Json[] | Record<string, Json>, key: string | number];

const odd: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  2048,
  100_001,
  '',
  'x',
  'user',
  'system',
  'a'.repeat(70),
  [],
  [''],
  {},
  { type: 'text' },
  { type: 'tool', name: 'nowhere' },
  { type: 'enabled', budget_tokens: 1024 },
];
/** Fields with values from other services, or with nearly correct values. */
const strange: readonly [string, Json][] = [
  ['tool_choice', 'auto'],
  ['tool_choice', { type: 'function', function: { name: 'f' } }],
  ['tool_choice', { type: 'tool', name: 5 }],
  ['tool_choice', { name: 'f' }],
  [
    'tools',
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'function', function: { name: 'f' } },
    ],
  ],
  [
    'tools',
    [
      { type: 5, name: 'a' },
      { type: null, name: 'a b', input_schema: {} },
    ],
  ],
  ['tools', [{ name: 'a' }, { name: 'a', type: 'bash_20250124' }, 'a']],
  ['tools', [{ type: 'mcp_toolset', mcp_server_name: 'n', name: 'n' }]],
  [
    'tools',
    [
      { type: 'text_editor_20241022', name: 'x', description: 'x' },
      { type: 'text_editor_20250124', name: 'x', description: 'x' },
    ],
  ],
  ['messages', ['system', 'user', 'developer'].map(role => ({ role, content: 'x', name: 'y' }))],
  [
    'messages',
    [
      { role: 'system', content: '' },
      { role: 'system', content: [] },
    ],
  ],
  ['messages', [{ role: 'user', content: [{ text: 'x' }, { type: null }, { type: 5 }, 'x', { type: 'image', source: {} }] }]],
  [
    'messages',
    [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url' } },
          { type: 'image_url', image_url: {} },
        ],
      },
    ],
  ],
  ['messages', { role: 'user', content: [] }],
  ['messages', []],
  ['temperature', 1.7],
  ['temperature', '0.5'],
  ['temperature', -0.5],
  ['top_p', 1.5],
  ['top_k', -1],
  ['max_tokens', -1],
  ['max_tokens', 1.5],
  ['max_tokens', '100'],
  ['max_tokens', 0],
  ['thinking', { type: 'enabled', budget_tokens: 5 }],
  ['thinking', { type: 'enabled' }],
  ['thinking', { type: 'on', budget_tokens: 5000 }],
  ['metadata', { user_id: 'x'.repeat(513) }],
  ['metadata', { user_id: 5, user: 'x', userid: 'y' }],
  ['stop_sequences', 'x'],
  ['stream', 'true'],
  [
    'system',
    [
      { type: 'text', text: '' },
      { type: 'text', txt: 'x' },
    ],
  ],
  ['container', { skills: [{ skill_id: '', type: 'custom' }, { type: 'custom' }] }],
  ['output_config', { format: { type: 'json' }, effort: 'most' }],
  ['fallbacks', 'x'],
  ['model', null],
  ['model', 'vendor-mythos-5'],
  ['thread', {}],
  ['compaction', null],
  ['response_format', { type: 'json_object' }],
];
const text = { type: 'text', text: 'x' };
const turn = (role: string, ...content: readonly Json[]): Json => ({ role, content });
const calls = (...ids: readonly Json[]): readonly Json[] => ids.map(id => ({ type: 'tool_use', id, name: 'f', input: {} }));
const results = (...ids: readonly Json[]): readonly Json[] => ids.map(id => ({ type: 'tool_result', tool_use_id: id }));
const marked = (ttl: string): Json => ({ ...text, cache_control: { type: 'ephemeral', ttl } });
const picture = (media_type: string, data: string): Json => ({ type: 'image', source: { type: 'base64', media_type, data } });

/** Fields that a service refuses hours later, and similar valid fields. */
const refused: readonly [string, Json][] = [
  ['messages', [turn('user', text), turn('assistant', ...calls('a', 'b')), turn('user', ...results('b', 'a'))]],
  [
    'messages',
    [turn('assistant', ...calls('a')), turn('assistant', ...calls('b')), turn('user', ...results('a')), turn('user', ...results('b'))],
  ],
  ['messages', [turn('assistant', ...calls('a', 'a')), turn('user', ...results('a', 'c', 'a'))]],
  ['messages', [turn('assistant', ...calls('a')), turn('system', text), turn('user', text), null, turn('assistant', text)]],
  ['messages', [turn('user', ...calls('a'), ...results('a')), turn('assistant', ...calls('a', 5), ...results('a'))]],
  ['messages', [{ role: 'assistant', content: 'x ' }, 5]],
  ['messages', [{ role: 'assistant', content: '{"a":"' }]],
  ['messages', [{ role: 'assistant', content: 'x\n' }]],
  ['messages', [{ role: 'assistant', content: 'é' }]],
  ['messages', [turn('user', picture('image/png', '/9j/4AAQ'), picture('image/webp', 'UklGRh4AAABXRUJQ'))]],
  ['messages', [turn('user', picture('image/png', 'Data:image/png;base64,iVBORw0KGgo='), picture('image/jpg', 'R0lGOD'))]],
  [
    'messages',
    [turn('user', { type: 'image', source: { type: 'base64', media_type: 'image/png' } }, picture('image/gif', 'iVBORw0KGgo='))],
  ],
  ['messages', [turn('user', { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'R0lGODlh' } })]],
  ['messages', [turn('user', marked('5m'), marked('1h'), { type: 'tool_result', tool_use_id: 'a', content: [marked('5m')] })]],
  ['messages', [turn('user', ...Array.from({ length: 5 }, () => marked('5m')))]],
  ['messages', [turn('assistant', { type: 'thinking', thinking: '', signature: 's' }, text), turn('user', text)]],
  ['thinking', { type: 'enabled', budget_tokens: -5 }],
  ['thinking', { type: 'adaptive', display: 'omitted' }],
  ['tool_choice', { type: 'tool', name: 'a' }],
  ['system', [marked('5m'), marked('5m')]],
  ['cache_control', { type: 'ephemeral', ttl: '1h' }],
  ['output_config', { format: { type: 'json_schema', schema: {} } }],
  ['model', 'vendor-haiku-4-5'],
  ['speed', 'fast'],
  ['tools', [{ name: 'a', parameters: {}, input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' }, other: 1 }]],
];

const fields: readonly [string, Json][] = [
  ...refused,
  ['stream', true],
  ['top_p', 0.5],
  ['top_k', 3],
  ['temperature', 0.2],
  ['thinking', { type: 'enabled', budget_tokens: 4096 }],
  ['tool_choice', { type: 'any' }],
  ['fallback_credit_token', 't'],
  ['fallback_credit_token', { token: 't', mode: 'best_effort' }],
  ['fallbacks', 'default'],
  ['fallbacks', [{ model: 'm', max_tokens: 5 }]],
  ['output_format', { type: 'json_schema', schema: {} }],
  ['metadata', { user_id: 'ann@example.org' }],
  ['mcp_servers', [{ type: 'url', name: 'n', url: 'u', authorization_token: 't' }]],
  ['user_profile_id', 'p'],
  ['billing_policy', {}],
  ['fallbacks', [{ model: 'vendor-opus-5', max_tokens: -1 }]],
  ['fallbacks', [{ model: 'vendor-opus-5' }]],
  ['mcp_servers', ['n', 'n'].map(name => ({ type: 'url', name, url: 'u' }))],
  ['tools', [{ type: 'function', function: { name: 'f' } }]],
  ['tools', [{ name: 'a', input_schema: true }]],
  ['tools', [{ name: 'a', input_schema: { type: 'object', propertys: {} }, descripton: 'x', description: null }]],
  ['metadata', { userid: 'x' }],
  ['output_config', { efort: 'low' }],
  ['container', { skill: [] }],
  ['thinking', { type: 'adaptive', dislay: 'omitted' }],
  ['context_management', { edit: [] }],
  ['messages', [{ role: 'user', content: [] }]],
  ['messages', [{ role: 'user', content: '' }]],
  ['messages', [{ role: 'user', content: [{ type: 'text', text: 'x', cache_controls: null }] }]],
  ['model', 'vendor-opus5'],
  ['model', ' vendor-opus-5'],
  ['model', ''],
  ['extra', 1],
];

function places(value: Json, found: Place[] = []): Place[] {
  if (typeof value === 'object' && value !== null) {
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      found.push([value as Record<string, Json>, key]);
      places((value as Record<string | number, Json>)[key] as Json, found);
    }
  }
  return found;
}

type Change = readonly [at: number, how: string, value: Json, field: readonly [string, Json], number: number];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.nat(),
  fc.constantFrom('delete', 'rename', 'retype', 'double', 'add', 'number'),
  fc.constantFrom(...odd),
  fc.constantFrom(...fields),
  fc.integer({ min: -2, max: 5000 }),
);

function apply(root: Record<string, Json>, [at, how, value, [field, given], number]: Change): void {
  const all = places(root);
  const [container, key] = all[at % all.length] ?? [root, 'model'];
  const holder = container as Record<string | number, Json>;
  const params = (typeof root.params === 'object' && root.params !== null ? root.params : root) as Record<string, Json>;
  switch (how) {
    case 'delete':
      if (Array.isArray(container)) {
        container.splice(Number(key), 1);
      } else {
        delete holder[key];
      }
      break;
    case 'rename':
      if (!Array.isArray(container)) {
        holder[`${key}s`] = holder[key] as Json;
        delete holder[key];
      }
      break;
    case 'retype':
      holder[key] = value;
      break;
    case 'double':
      if (Array.isArray(container)) {
        container.push(holder[key] as Json);
      } else {
        holder[`${key}_`] = holder[key] as Json;
      }
      break;
    case 'number':
      params[at % 2 === 0 ? 'max_tokens' : 'top_k'] = number;
      break;
    default:
      params[field] = given;
  }
}

/** A valid line with one change, such as a removed field, a value of another type or a duplicate item. */
export const mutatedLine: fc.Arbitrary<string> = fc.tuple(requestLine, change).map(([line, one]) => {
  const root = JSON.parse(line) as Record<string, Json>;
  apply(root, one);
  return JSON.stringify(root);
});

/** Fields to add to any object. The object may have some of these fields already. */
const added: fc.Arbitrary<readonly [string, Json]> = fc.tuple(
  fc.constantFrom(
    'name',
    'description',
    'input_schema',
    'typ',
    'type',
    'titles',
    'cache_control',
    'allowed_callers',
    'roles',
    '__proto__',
    'x y',
  ),
  fc.constantFrom(...odd, 'text', 'custom', 'hologram', 'bash_20250124', 'text_editor_20250124', { type: 'image' }, [
    { type: 'text', text: '' },
  ]),
);

/** Lines of a few shapes. After changes, many of the lines have the same mistakes. */
const fewShapes: fc.Arbitrary<string> = fc
  .record({
    model: fc.constantFrom('m', 'vendor-opus-5'),
    max_tokens: fc.constantFrom(0, 5, 2000),
    content: fc.constantFrom('x', [{ type: 'text', text: 'x' }], [{ type: 'hologram' }]),
    tools: fc.constantFrom(undefined, undefined, [
      { name: 'a', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
    ]),
    thinking: fc.constantFrom(undefined, undefined, { type: 'enabled', budget_tokens: 2000 }),
    isBare: fc.boolean(),
  })
  .map(({ content, isBare, ...rest }) => {
    const params = { ...rest, messages: [{ role: 'user', content }] };
    return JSON.stringify(isBare ? params : { custom_id: 'a', params });
  });

/** A line after up to three random changes, most of which are mistakes. */
export const wrongLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fewShapes }, requestLine),
    fc.array(change, { maxLength: 2 }),
    fc.array(fc.tuple(fc.nat(), added), { maxLength: 1 }),
    fc.array(fc.constantFrom(...fields, ...strange), { maxLength: 2 }),
  )
  .map(([line, changes, adding, given]) => {
    const root = JSON.parse(line) as Record<string, Json>;
    const params = (typeof root.params === 'object' && root.params !== null ? root.params : root) as Record<string, Json>;
    for (const [field, value] of given) {
      // Clones the value, because the changes below must not affect the lists above.
      params[field] = structuredClone(value);
    }
    for (const one of changes) {
      apply(root, structuredClone(one));
    }
    for (const [at, [key, value]] of adding) {
      const objects = places(root).flatMap(([holder, place]) => (isObject(holder[place as never]) ? [holder[place as never]] : []));
      Object.defineProperty(objects[at % objects.length] ?? root, key, {
        value: structuredClone(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return JSON.stringify(root);
  });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
