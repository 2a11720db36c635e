import { isRecord } from '../../shared/isRecord';
import { resolveReference } from '../../shared/schema/schemaKeywords';

const deepest = 12;

/** Returns the smallest value that the plain keywords of a JSON schema allow: required fields only, first enum value, shortest arrays. */
export function minimalJson(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > deepest) {
    return null;
  }
  if (typeof schema.$ref === 'string') {
    return minimalJson(resolveReference(root, schema.$ref), root, depth + 1);
  }
  for (const fixed of ['const', 'default'] as const) {
    if (schema[fixed] !== undefined) {
      return schema[fixed];
    }
  }
  if (Array.isArray(schema.enum)) {
    return schema.enum[0];
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choice)) {
      return minimalJson(choice[0], root, depth + 1);
    }
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map(part => minimalJson(part, root, depth + 1));
    return parts.every(isRecord) ? Object.assign({}, ...parts, objectFor(schema, root, depth)) : parts[0];
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return 'emulated'.padEnd(typeof schema.minLength === 'number' ? Math.min(schema.minLength, 10_000) : 0, '.');
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return true;
    case 'array': {
      const count = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 100) : 0;
      return Array.from({ length: count }, () => minimalJson(schema.items, root, depth + 1));
    }
    case 'null':
      return null;
    default:
      return objectFor(schema, root, depth);
  }
}

function objectFor(schema: Record<string, unknown>, root: unknown, depth: number): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : [];
  return Object.fromEntries(required.map(name => [name, minimalJson(properties[name], root, depth + 1)]));
}

function numberFor(schema: Record<string, unknown>): number {
  if (typeof schema.minimum === 'number') {
    return schema.type === 'integer' ? Math.ceil(schema.minimum) : schema.minimum;
  }
  if (typeof schema.exclusiveMinimum === 'number') {
    return Math.floor(schema.exclusiveMinimum) + 1;
  }
  return typeof schema.maximum === 'number' ? Math.min(0, Math.floor(schema.maximum)) : 0;
}
