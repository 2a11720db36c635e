/** What a document of something holds: the fields one can change, and any that we do not know. */
export type Definition = Readonly<Record<string, unknown>>;

/** Which fields of something its document has. */
export interface DefinitionFields {
  /** Made by the service; no update takes them. */
  readonly service: ReadonlySet<string>;
  /** The order in which fields stand, so that two states differ only where they differ. Others follow as they came. */
  readonly order: readonly string[];
  /** Without these no service takes one. */
  readonly required: readonly string[];
}

/** The part of something that its document shows. */
export function toDefinition(value: object, { service, order }: DefinitionFields): Definition {
  const entries = Object.entries(value).filter(([name, field]) => !service.has(name) && field !== undefined);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(entries.sort(([a], [b]) => place(a) - place(b)));
}

/** A definition as the text of a document. */
export function toDefinitionText(definition: Definition): string {
  return `${JSON.stringify(definition, null, 2)}\n`;
}

/** What stands in a document. `field` is named when something is wrong with one. */
export type ParsedDefinition =
  | { readonly definition: Definition }
  | { readonly problem: 'notJson' | 'notAnObject' }
  | { readonly problem: 'missing'; readonly field: string };

/**
 * Reads a document. Fields that the service makes are left out, so that what was exported elsewhere can be used. Only what no service
 * takes is a problem: it judges the rest itself.
 */
export function parseDefinition(text: string, { service, required }: DefinitionFields): ParsedDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'notJson' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'notAnObject' };
  }
  const definition = Object.fromEntries(Object.entries(value).filter(([name]) => !service.has(name) && name !== '$schema'));
  const missing = required.find(field => !definition[field]);
  return missing === undefined ? { definition } : { problem: 'missing', field: missing };
}
