import { numberText } from '../exactJson';
import { isRecord } from '../isRecord';
import { isInteger, isObject } from './jsonValues';

/** Maximum depth, more than any meaningful value or schema has. */
export const maxDepth = 200;

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => numberText(value) !== undefined;
const isCount = (value: unknown) => isInteger(value) && Number(value) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;

/** Tests of a value, by the name of a JSON type. */
export const typeTests: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<unknown, (value: unknown) => boolean>([
  ['null', value => value === null],
  ['array', value => Array.isArray(value)],
  ['object', isObject],
  ['integer', isInteger],
  ['number', isNumber],
  ['boolean', isFlag],
  ['string', isText],
]);

/** Keywords that restrict values, and annotations, each with a check of its own value. */
const shapes: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['$ref', isText],
  ['type', value => listOf(value).length > 0 && listOf(value).every(type => typeTests.has(type))],
  ['enum', isList],
  ['const', () => true],
  ['properties', isRecord],
  ['required', value => Array.isArray(value) && value.every(isText)],
  ['additionalProperties', () => true],
  ['items', value => !Array.isArray(value)],
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'].map(name => [name, isCount] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(name => [name, isNumber] as const),
  ['multipleOf', value => isNumber(value) && Number(value) > 0],
  ['uniqueItems', isFlag],
  ['pattern', value => typeof value === 'string' && isPattern(value)],
  ...['anyOf', 'allOf', 'oneOf'].map(name => [name, isList] as const),
  ['not', () => true],
  ...['$defs', 'definitions'].map(name => [name, isRecord] as const),
  // Annotations, which don't restrict a value.
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'].map(
    name => [name, () => true] as const,
  ),
]);

const manySchemas: ReadonlySet<string> = new Set(['properties', 'anyOf', 'allOf', 'oneOf', '$defs', 'definitions']);
const oneSchema: ReadonlySet<string> = new Set(['additionalProperties', 'items', 'not']);

/** Returns the unknown keywords of a schema, and keywords with an invalid value. With any of these, the schema can't be used. */
export function problemsOf(root: unknown): readonly string[] {
  const problems = new Set<string>();
  examine(root, root, problems, 0);
  return [...problems];
}

function examine(schema: unknown, root: unknown, problems: Set<string>, depth: number): void {
  if (typeof schema === 'boolean') {
    return;
  }
  if (!isObject(schema) || depth > maxDepth) {
    problems.add('schema');
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapes.get(keyword);
    if (shape === undefined || !shape(value)) {
      problems.add(keyword);
    } else if (keyword === '$ref' && resolveReference(root, String(value)) === undefined) {
      problems.add(`$ref ${String(value)}`);
    } else if (manySchemas.has(keyword)) {
      for (const one of Array.isArray(value) ? value : Object.values(value as object)) {
        examine(one, root, problems, depth + 1);
      }
    } else if (oneSchema.has(keyword)) {
      examine(value, root, problems, depth + 1);
    }
  }
}

/** Resolves a reference within the schema `root`. Returns `undefined` if its target does not exist. */
export function resolveReference(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) {
    return undefined;
  }
  let found: unknown = root;
  try {
    for (const step of reference.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : Array.isArray(found) ? found[Number(name)] : undefined;
    }
    return found;
  } catch {
    // The percent-encoding is invalid.
    return undefined;
  }
}

/** Returns whether a text is a valid regular expression. */
export function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Returns the values of a keyword that allows one value or an array of values. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
