import type * as z from 'zod';
import { closeName } from '../../contract/closeName';
import { customToolSchema, toolInputSchema } from '../../contract/messageParamsTools';
import { type Finding, found, isObject, type Path, type Subject } from './finding';
import { walkSchema } from './knownFields';
import { schemaOf } from './schemaRules';

type Schema = z.core.$ZodType;

/** Message for a field that is accepted although its name looks misspelled. */
export const slipText = 'Did you mean "{1}" instead of "{0}"?';
/** Message for an unknown field of a custom tool. The contract lists all of its fields, and services refuse other fields. */
export const toolFieldText = 'Unknown field "{0}" in a custom tool.';

/** Fields of a custom tool, keyed by their names in other services. */
const otherToolFields: ReadonlyMap<string, string> = new Map([
  ['parameters', 'input_schema'],
  ['schema', 'input_schema'],
]);

/** Finds `unknown-field` as a warning: names that look misspelled, in objects that may have other fields. */
export function findSlips(subject: Subject): readonly Finding[] {
  const findings: Finding[] = [];
  walkSchema(schemaOf(subject), subject.value, [], (schema, value, path) => {
    if (isObject(value) && (isLoose(schema) || schema === customToolSchema)) {
      collectFields(schema, value, path, findings);
    }
  });
  return findings;
}

/**
 * Returns whether a schema lists fields and also allows unlisted fields. Excludes JSON Schemas, because the list of their keywords is
 * incomplete, and custom tools, which allow no other fields.
 */
export function isLoose(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' && def.catchall?._zod.def.type === 'unknown' && schema !== toolInputSchema && schema !== customToolSchema;
}

function collectFields(schema: Schema, value: Readonly<Record<string, unknown>>, path: Path, findings: Finding[]): void {
  const { shape } = (schema as z.core.$ZodObject)._zod.def;
  const unknown = Object.keys(value).filter(key => !Object.hasOwn(shape, key));
  if (unknown.length === 0) {
    return;
  }
  const isOfTool = schema === customToolSchema;
  const free = Object.keys(shape).filter(field => !Object.hasOwn(value, field));
  for (const key of unknown) {
    const other = isOfTool ? otherToolFields.get(key) : undefined;
    const suggestion =
      (other !== undefined && free.includes(other) ? other : undefined) ??
      closeName(key, free) ??
      free.find(field => key.length > 3 && field.startsWith(`${key}_`));
    const more = { severity: 'warning', atKey: true, ...(suggestion !== undefined && { hint: { suggestion } }) } as const;
    if (suggestion !== undefined) {
      findings.push(found('unknown-field', [...path, key], slipText, [key, suggestion], more));
    } else if (isOfTool) {
      findings.push(found('unknown-field', [...path, key], toolFieldText, [key], more));
    }
  }
}
