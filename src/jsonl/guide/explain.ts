import { findCursor } from './cursorPosition';
import { parseLoose, textOf } from './looseJson';
import type { RequestSchema, SchemaNode } from './schemaNode';

export interface Explanation {
  readonly start: number;
  readonly end: number;
  readonly field: string;
  /** Type in words, such as `integer` or `string or array`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly words: string;
  readonly deprecation: string | undefined;
  readonly default: unknown;
  readonly limits: readonly Limit[];
  /** Known values with their descriptions. */
  readonly values: readonly { readonly value: string; readonly words: string }[];
  /** Value at the cursor as text, or `undefined` for a field name. */
  readonly value: string | undefined;
}

export interface Limit {
  readonly kind: 'number' | 'characters' | 'items' | 'pattern';
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly pattern?: string | undefined;
}

/** Describes the field name or simple value at `column`. `undefined` elsewhere, or if the schema lacks the field. */
export function explain(schema: RequestSchema, text: string, column: number): Explanation | undefined {
  const root = parseLoose(text);
  const { kind, path, containers, token, start, end } = findCursor(text, column, root);
  if (token === undefined || (kind !== 'key' && kind !== 'value') || column < token.start) {
    return undefined;
  }
  const inObject = containers.at(-1)?.kind === 'object';
  const name = kind === 'key' ? textOf(text, token) : String(path.findLast(step => typeof step === 'string') ?? '');
  const own = kind === 'key' ? [...path, name] : path;
  const node = schema.at(text, root, own);
  if (node === undefined) {
    return undefined;
  }
  const parent = inObject ? schema.at(text, root, own.slice(0, -1)) : undefined;
  const fields = parent === undefined ? [] : schema.fields(text, parent, containers.at(-1));
  const owner = own.slice(0, own.findLastIndex(step => typeof step === 'string') + 1);
  const described = inObject ? node : (schema.at(text, root, owner) ?? node);
  return {
    start,
    end,
    field: name,
    type: describeSchema(schema, node),
    isRequired: fields.some(field => field.name === name && field.isRequired),
    words: described.markdownDescription ?? '',
    deprecation: node.deprecationMessage,
    default: node.default,
    limits: schema.branches(node).flatMap(limitsOf),
    values: schema
      .branches(node)
      .flatMap(({ enum: values = [], markdownEnumDescriptions: words = [] }) =>
        values.flatMap((value, index) => (value === null ? [] : [{ value: String(value), words: words[index] ?? '' }])),
      ),
    value: kind === 'value' ? textOf(text, token) : undefined,
  };
}

/** Returns the types that a schema allows as readable text. */
export function describeSchema(schema: RequestSchema, node: SchemaNode): string {
  const kinds = schema
    .branches(node)
    .flatMap(({ type, enum: values, properties }) => type ?? (values !== undefined ? 'string' : properties !== undefined ? 'object' : []));
  return [...new Set(kinds)].join(' or ');
}

function limitsOf(node: SchemaNode): readonly Limit[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = node;
  const limits: readonly Limit[] = [
    { kind: 'number', minimum, maximum },
    { kind: 'characters', minimum: minLength, maximum: maxLength },
    { kind: 'items', minimum: minItems, maximum: maxItems },
  ];
  return [
    ...limits.filter(limit => limit.minimum !== undefined || limit.maximum !== undefined),
    ...(pattern === undefined ? [] : [{ kind: 'pattern', minimum: undefined, maximum: undefined, pattern } as const]),
  ];
}
