import type * as z from 'zod';
import { closeName } from '../../contract/closeName';
import { toolInputSchema } from '../../contract/messageParamsTools';
import { type Finding, fieldOf, found, isObject, type Path, type Subject } from './finding';
import { schemaOf } from './schemaRules';

type Schema = z.core.$ZodType;

/** What is said of a field that is let through though its name looks like a slip. */
export const slipText = 'Nothing is known here of the field {0}. Did you mean {1}? Correct its name or remove it.';

/** `unknown-field` as a warning: in objects that may have other fields, a name that was most likely meant to be another. */
export function findSlips(subject: Subject): readonly Finding[] {
  const findings: Finding[] = [];
  collect(schemaOf(subject), subject.value, [], findings);
  return findings;
}

/** Whether a schema lists fields and lets any others through. Of a JSON Schema's keywords hardly any are listed. */
export function isLoose(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' && def.catchall?._zod.def.type === 'unknown' && schema !== toolInputSchema;
}

function collect(schema: Schema, value: unknown, path: Path, findings: Finding[]): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      collect(def.innerType, value, path, findings);
      break;
    case 'union':
      for (const option of optionsFor(def, value)) {
        collect(option, value, path, findings);
      }
      break;
    case 'array':
      for (const [index, item] of Array.isArray(value) ? value.entries() : []) {
        collect(def.element, item, [...path, index], findings);
      }
      break;
    case 'object':
      collectFields(schema, def.shape, value, path, findings);
      break;
    default:
  }
}

/** The options that can be meant; of objects told apart by `type` the one that is named, and none when it is not known. */
function optionsFor(def: z.core.$ZodUnionDef, value: object): readonly Schema[] {
  if ('discriminator' in def) {
    const type = fieldOf(value, 'type');
    return def.options.filter(option => option._zod.propValues?.type?.has(type as string));
  }
  const ofVariants = def.options.find(option => 'discriminator' in option._zod.def);
  return ofVariants === undefined || Array.isArray(value) ? def.options : [ofVariants];
}

function collectFields(schema: Schema, shape: z.core.$ZodLooseShape, value: object, path: Path, findings: Finding[]): void {
  if (!isObject(value)) {
    return;
  }
  const loose = isLoose(schema);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(shape, key)) {
      collect(shape[key] as Schema, value[key], [...path, key], findings);
    } else if (loose) {
      const free = Object.keys(shape).filter(field => !Object.hasOwn(value, field));
      const suggestion = closeName(key, free) ?? free.find(field => key.length > 3 && field.startsWith(`${key}_`));
      if (suggestion !== undefined) {
        const more = { severity: 'warning', atKey: true, hint: { suggestion } } as const;
        findings.push(found('unknown-field', [...path, key], slipText, [key, suggestion], more));
      }
    }
  }
}
