import fc from 'fast-check';
import { requestLine } from './requestLines';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A place in a value: its container and the key or index in it. */
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
const fields: readonly [string, Json][] = [
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

/** A right line in which one thing is another: a field gone, renamed or added, a value of another type or size, items doubled. */
export const mutatedLine: fc.Arbitrary<string> = fc
  .tuple(
    requestLine,
    fc.nat(),
    fc.constantFrom('delete', 'rename', 'retype', 'double', 'add', 'number'),
    fc.constantFrom(...odd),
    fc.constantFrom(...fields),
    fc.integer({ min: -2, max: 5000 }),
  )
  .map(([line, at, how, value, [field, given], number]) => {
    const root = JSON.parse(line) as Record<string, Json>;
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
    return JSON.stringify(root);
  });
