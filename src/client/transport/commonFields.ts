import * as z from 'zod';

/** User-defined keys and values. All keys are preserved: `z.record` would drop `__proto__`. */
export const metadataSchema = z.custom<Readonly<Record<string, unknown>>>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Returns fields with text, each of which may be absent or null. */
export function optionalTexts<Name extends string>(...names: readonly Name[]) {
  return fieldsOf(names, z.string().nullish());
}

/** Returns fields with a number, each of which may be absent or null. */
export function optionalNumbers<Name extends string>(...names: readonly Name[]) {
  return fieldsOf(names, z.number().nullish());
}

function fieldsOf<Name extends string, Field>(names: readonly Name[], field: Field): Record<Name, Field> {
  return Object.fromEntries(names.map(name => [name, field])) as Record<Name, Field>;
}

/** Times of a resource that can be changed and archived. */
export const timeFields = optionalTexts('created_at', 'updated_at', 'archived_at');

/** Metadata and times of a resource that can be changed and archived. */
export const changeableFields = { metadata: metadataSchema.nullish(), ...timeFields };

/** Fields that every resource has. `type` is the default value of the field `type`. */
export function identity(type: string) {
  return { id: z.string().min(1), type: z.string().default(type) };
}
