import type * as z from 'zod';
import { fieldOf, isObject, type Path } from './finding';

type Schema = z.core.$ZodType;

/** Calls `visit` for every object and array of `value` with each schema that may apply to it, outermost first. */
export function walkSchema(schema: Schema, value: unknown, path: Path, visit: (schema: Schema, value: object, path: Path) => void): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  visit(schema, value, path);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      walkSchema(def.innerType, value, path, visit);
      break;
    case 'union':
      for (const option of optionsFor(def, value)) {
        walkSchema(option, value, path, visit);
      }
      break;
    case 'array':
      for (const [index, item] of Array.isArray(value) ? value.entries() : []) {
        walkSchema(def.element, item, [...path, index], visit);
      }
      break;
    case 'object':
      for (const [key, inner] of isObject(value) ? Object.entries(value) : []) {
        if (Object.hasOwn(def.shape, key)) {
          walkSchema(def.shape[key] as Schema, inner, [...path, key], visit);
        }
      }
      break;
    default:
  }
}

/** Returns the options that may apply. If `type` discriminates objects, returns the named option, or none if the name is unknown. */
function optionsFor(def: z.core.$ZodUnionDef, value: object): readonly Schema[] {
  if ('discriminator' in def) {
    const type = fieldOf(value, 'type');
    return def.options.filter(option => option._zod.propValues?.type?.has(type as string));
  }
  const ofVariants = def.options.find(option => 'discriminator' in option._zod.def);
  return ofVariants === undefined || Array.isArray(value) ? def.options : [ofVariants];
}
