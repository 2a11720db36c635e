import type * as z from 'zod';

/** Mismatches that a decoder found: paths and codes only, never the values, which can be secret. */
export interface Amiss {
  readonly paths: readonly string[];
}

/**
 * Decodes a value by a schema. Fields of a wrong type are left out: one of them does not invalidate the whole object, and every remaining
 * field has its declared type. Unknown fields are preserved. Returns `undefined` if a required field is missing.
 */
export function decodeTolerantly<S extends z.ZodType>(
  schema: S,
  value: unknown,
  onAmiss?: (amiss: Amiss) => void,
): z.output<S> | undefined {
  const first = schema.safeParse(value);
  if (first.success) {
    return first.data;
  }
  const paths = first.error.issues.map(issue => issue.path.join('.') || '(whole)');
  onAmiss?.({ paths });
  let pruned = value;
  let { issues } = first.error;
  for (let round = 0; round < maxRounds; round++) {
    const parts = partsToRemove(pruned, issues);
    if (parts.some(part => part.length === 0)) {
      return undefined;
    }
    pruned = without(pruned, toCuts(parts));
    const next = schema.safeParse(pruned);
    if (next.success) {
      return next.data;
    }
    issues = next.error.issues;
  }
  return undefined;
}

/** Each round removes at least one level of mismatches. No decoded value is deeper. */
const maxRounds = 8;

/** Returns the parts to remove, without duplicates and without parts inside another one. */
function partsToRemove(value: unknown, issues: readonly z.core.$ZodIssue[]): readonly (readonly PropertyKey[])[] {
  const parts = new Map(issues.map(({ path }) => presentPart(value, path)).map(part => [part.join('\0'), part]));
  const isWithinAnother = (part: readonly PropertyKey[]) =>
    part.some((_, depth) => parts.has(part.slice(0, depth).join('\0')) && depth > 0);
  return [...parts.values()].filter(part => !isWithinAnother(part));
}

/** Returns the part of a path that exists in a value. If a required field is missing, its object has to be removed. */
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

/** Parts to remove from a value, by key. An element of an array has its decimal index as key. */
type Cuts = Map<string, Cuts | 'whole'>;

function toCuts(parts: readonly (readonly PropertyKey[])[]): Cuts {
  const cuts: Cuts = new Map();
  for (const part of parts) {
    let level = cuts;
    for (const key of part.slice(0, -1).map(String)) {
      const known = level.get(key);
      const next: Cuts = known instanceof Map ? known : new Map();
      level.set(key, next);
      level = next;
    }
    level.set(String(part.at(-1)), 'whole');
  }
  return cuts;
}

/** Returns a copy of `value` without all cuts, in one pass. Removed elements of an array leave no hole. */
function without(value: unknown, cuts: Cuts): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const left = (key: string, part: unknown): readonly unknown[] => {
    const cut = cuts.get(key);
    return cut === undefined ? [part] : cut === 'whole' ? [] : [without(part, cut)];
  };
  return Array.isArray(value)
    ? value.flatMap((element, index) => left(String(index), element))
    : Object.fromEntries(Object.entries(value).flatMap(([name, part]) => left(name, part).map(retained => [name, retained])));
}
