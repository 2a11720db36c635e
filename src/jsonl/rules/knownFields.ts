import type * as z from 'zod';
import { fieldOf, type Path } from './finding';

type Schema = z.core.$ZodType;

/** The fields that `schema` knows of the object at `path` of `value`; of objects told apart by `type`, those of the one that is meant. */
export function knownFields(schema: Schema, path: Path, value: unknown): ReadonlySet<string> {
  return new Set(schemasAt(schema, path, value).flatMap(candidate => Object.keys(shapeOf(candidate))));
}

/** What `schema` wants of a field of the object at `path` of `value`, whether it stands there or not. */
export function schemasOfField(schema: Schema, path: Path, value: unknown, field: string): readonly Schema[] {
  return schemasAt(schema, path, value).flatMap(candidate => stepInto(candidate, field));
}

/** The plain schemas of the value at `path` of `value`, each of them one that can be meant. */
export function schemasAt(schema: Schema, path: Path, value: unknown): readonly Schema[] {
  let schemas = variantsOf(schema, value);
  let here = value;
  for (const step of path) {
    here = typeof here === 'object' && here !== null ? (here as Record<string | number, unknown>)[step] : undefined;
    schemas = schemas.flatMap(candidate => stepInto(candidate, step)).flatMap(next => variantsOf(next, here));
  }
  return schemas;
}

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? def.shape : {};
}

/** The plain schemas behind optional, nullable and unions that can be meant for `value`. */
function variantsOf(schema: Schema, value: unknown): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return variantsOf(def.innerType, value);
    case 'union': {
      const type = fieldOf(value, 'type');
      const meant = 'discriminator' in def ? def.options.filter(option => option._zod.propValues?.type?.has(type as string)) : def.options;
      return meant.flatMap(option => variantsOf(option, value));
    }
    default:
      return [schema];
  }
}

function stepInto(schema: Schema, step: string | number): readonly Schema[] {
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
