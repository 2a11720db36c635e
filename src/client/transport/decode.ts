import type * as z from 'zod';

/**
 * Decodes a value by a schema. Leaves out fields of a wrong type, so every remaining field has its declared type. Unknown fields are
 * preserved. Returns `undefined` if a required field is missing.
 */
export function decodeTolerantly<S extends z.ZodType>(
  schema: S,
  value: unknown,
  onAmiss?: (paths: readonly string[]) => void,
): z.output<S> | undefined {
  let pruned = value;
  for (let round = 0; round <= maxRounds; round++) {
    const { success, data, error } = schema.safeParse(pruned);
    if (success) {
      return data;
    }
    if (round === 0) {
      // Reports only paths, because values can be secret.
      onAmiss?.(error.issues.map(({ path }) => path.join('.') || '(whole)'));
    }
    const parts = error.issues.map(({ path }) => presentPart(pruned, path).map(String));
    if (parts.some(part => part.length === 0)) {
      return undefined;
    }
    pruned = without(pruned, parts);
  }
  return undefined;
}

/** Maximum number of rounds that remove something. Each removes at least one level of mismatches, and no decoded value has more levels. */
const maxRounds = 8;

/** Returns the part of a path that exists in a value. For a missing required field, returns the path of its object, to be removed. */
function presentPart(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  let current = value;
  for (const [depth, key] of path.entries()) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) {
      return path.slice(0, depth);
    }
    current = (current as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return path;
}

/** Returns a copy of `value` without the parts at these paths. Removed elements of an array leave no hole. */
function without(value: unknown, parts: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const cuts = new Map<string, (readonly string[])[]>();
  for (const [key = '', ...rest] of parts) {
    const known = cuts.get(key) ?? [];
    known.push(rest);
    cuts.set(key, known);
  }
  const left = Object.entries(value).flatMap(([name, part]): (readonly [string, unknown])[] => {
    const inner = cuts.get(name);
    if (inner?.some(path => path.length === 0) === true) {
      return [];
    }
    return [[name, inner === undefined ? part : without(part, inner)]];
  });
  return Array.isArray(value) ? left.map(([, part]) => part) : Object.fromEntries(left);
}
