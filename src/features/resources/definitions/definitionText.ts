/** Content of a resource's document: its editable fields, and any fields that the extension does not know. */
export type Definition = Readonly<Record<string, unknown>>;

/** Fields that belong in the document of a resource. */
export interface DefinitionFields {
  /** Fields set by the service, which no update accepts, besides those that it sets for every kind. */
  readonly service?: readonly string[];
  /** Order of the fields, so that two documents differ only where their values do. Other fields follow in their original order. */
  readonly order: readonly string[];
  /** Fields without which no service accepts the definition. */
  readonly required: readonly string[];
}

/** Fields that the service sets for every kind. */
const setByService = ['id', 'type', 'created_at', 'updated_at', 'archived_at'];

function isSetByService(name: string, { service = [] }: DefinitionFields): boolean {
  return setByService.includes(name) || service.includes(name);
}

/** Returns the part of a resource that its document shows. */
export function toDefinition<T extends object>(value: T, fields: DefinitionFields & { read?(value: T): object }): Definition {
  const { order } = fields;
  const read = fields.read?.(value) ?? value;
  const entries = Object.entries(read).filter(([name, field]) => !isSetByService(name, fields) && field !== undefined);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b)));
}

/** Formats a definition as the text of its document. */
export function toDefinitionText(definition: Definition): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** Result of parsing a document. `field` names the invalid field, if there is one. */
export type ParsedDefinition =
  | { readonly definition: Definition }
  | { readonly problem: 'notJson' | 'notAnObject' }
  | { readonly problem: 'missing'; readonly field: string };

/**
 * Parses a document. Fields set by the service are removed, so that a resource exported elsewhere can be used. Reports only what no service
 * accepts: the service validates the rest.
 */
export function parseDefinition(text: string, fields: DefinitionFields): ParsedDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'notJson' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'notAnObject' };
  }
  const definition = Object.fromEntries(Object.entries(value).filter(([name]) => !isSetByService(name, fields) && name !== '$schema'));
  const missing = fields.required.find(field => !definition[field]);
  return missing === undefined ? { definition } : { problem: 'missing', field: missing };
}
