import type * as z from 'zod';
import { fieldOf, isObject, type Path } from './finding';

type Schema = z.core.$ZodType;

/** Returns the fields that `schema` lists for the object at `path` of `value`, of the variant that `type` names. */
export function knownFields(schema: Schema, path: Path, value: unknown): ReadonlySet<string> {
  return new Set(
    schemasAt(schema, path, value).flatMap(candidate => {
      const { def } = (candidate as z.core.$ZodTypes)._zod;
      return def.type === 'object' ? Object.keys(def.shape) : [];
    }),
  );
}

/** Returns the schemas of a field of the object at `path` of `value`. The field may be missing. */
export function schemasOfField(schema: Schema, path: Path, value: unknown, field: string): readonly Schema[] {
  return schemasAt(schema, path, value).flatMap(candidate => stepInto(candidate, field));
}

/** Returns the schemas that may apply to the value at `path` of `value`, without optional, nullable and union wrappers. */
function schemasAt(schema: Schema, path: Path, value: unknown): readonly Schema[] {
  let schemas = variantsOf(schema, value);
  let current = value;
  for (const step of path) {
    current = typeof current === 'object' && current !== null ? (current as Record<string | number, unknown>)[step] : undefined;
    schemas = schemas.flatMap(candidate => stepInto(candidate, step)).flatMap(next => variantsOf(next, current));
  }
  return schemas;
}

/** Unwraps optional, nullable and union schemas. Returns the schemas that may apply to `value`. */
function variantsOf(schema: Schema, value: unknown): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return variantsOf(def.innerType, value);
    case 'union': {
      const type = fieldOf(value, 'type');
      // The other options of a union with variants are for unknown types and for arrays.
      const ofVariants = isObject(value) ? def.options.find(option => 'discriminator' in option._zod.def) : undefined;
      const meant = 'discriminator' in def ? def.options.filter(option => option._zod.propValues?.type?.has(type as string)) : def.options;
      return (ofVariants === undefined ? meant : [ofVariants]).flatMap(option => variantsOf(option, value));
    }
    default:
      return [schema];
  }
}

/** Returns the schemas of a field or item of a schema without wrappers. */
export function stepInto(schema: Schema, step: string | number): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'array':
      return typeof step === 'number' ? [def.element] : [];
    case 'record':
      return [def.valueType];
    case 'object':
      return Object.hasOwn(def.shape, step) ? [def.shape[step] as Schema] : [];
    default:
      return [];
  }
}

/** Calls `visit` for every object and array of `value` with each schema that may apply to it, outermost first. Skips records. */
export function walkSchema(schema: Schema, value: unknown, path: Path, visit: (schema: Schema, value: object, path: Path) => void): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const candidate of variantsOf(schema, value)) {
    visit(candidate, value, path);
    const members =
      (candidate as z.core.$ZodTypes)._zod.def.type === 'record' ? [] : Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [step, inner] of members) {
      for (const next of stepInto(candidate, step)) {
        walkSchema(next, inner, [...path, step], visit);
      }
    }
  }
}
