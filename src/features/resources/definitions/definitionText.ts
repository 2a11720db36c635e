import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { jsonOf } from '../../../shared/jsonOf';

/** Content of a resource's document: its editable fields, and any fields that the extension does not know. */
export type Definition = Readonly<Record<string, unknown>>;

/** Fields that belong in the document of a resource. */
export interface DefinitionFields {
  /** Additional fields set by the service, which no update accepts. `setByService` lists the fields of every kind. */
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

/**
 * Parses a document. Removes fields set by the service, so that a resource exported elsewhere can be used. Throws an error with a message
 * for the user if no service accepts the document. The service validates all other rules.
 */
export function parseDefinition(text: string, fields: DefinitionFields, translate: Translate): Definition {
  const value = jsonOf(text.replace(/^\uFEFF/, ''));
  if (value === undefined) {
    throw new Error(translate('Fix the errors in the document first.'));
  }
  if (!isRecord(value)) {
    throw new Error(translate('The document must be a JSON object.'));
  }
  const definition = Object.fromEntries(Object.entries(value).filter(([name]) => !isSetByService(name, fields) && name !== '$schema'));
  const missing = fields.required.find(field => !definition[field]);
  if (missing !== undefined) {
    throw new Error(translate('Add "{0}" first.', missing));
  }
  return definition;
}
