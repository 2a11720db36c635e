import { parseLoose, textOf } from './looseJson';
import type { RequestSchema } from './schemaNode';

/**
 * Classifies the only line of a file. `any` is a blank line. `object` is the start of an object with only fields of requests. `request` is
 * such an object with a `custom_id`. Returns `undefined` for any other text.
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
