import { parseLoose, textOf } from './looseJson';
import type { RequestSchema } from './schemaNode';

/**
 * Classifies the only line of a file. `any`: it is blank. `object`: it starts an object with only fields of requests. `request`: that
 * object has a `custom_id`. Returns `undefined` for everything else.
 */
export function beginningOf(schema: RequestSchema, text: string): 'any' | 'object' | 'request' | undefined {
  const root = parseLoose(text);
  if (root === undefined) {
    return text.replace(/^\ufeff/, '').trim() === '' ? 'any' : undefined;
  }
  if (root.kind !== 'object') {
    return undefined;
  }
  const known = new Set(schema.fields(text, schema.root(text, root), root).map(({ name }) => name));
  // A name without a value is still being typed.
  const names = root.members.filter(({ colon }) => colon >= 0).map(({ key }) => textOf(text, key));
  return names.every(name => known.has(name)) ? (names.includes('custom_id') ? 'request' : 'object') : undefined;
}
