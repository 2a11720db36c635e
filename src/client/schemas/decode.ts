import type * as z from 'zod';

/** What a decoder found amiss: paths and codes only, never the values, which can be secret. */
export interface Amiss {
  readonly paths: readonly string[];
}

/**
 * Decodes a value as the schema has it. Fields of a wrong type are left out, so that one of them does not cost the whole object
 * and every field has the type it promises; unknown fields stay. Undefined when not even the demanded fields are there.
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

/** Each round takes away at least one level of what is amiss; nothing that is read here is deeper. */
const maxRounds = 8;

/** What to take away, each part once and none within another. */
function partsToRemove(value: unknown, issues: readonly z.core.$ZodIssue[]): readonly (readonly PropertyKey[])[] {
  const parts = new Map(issues.map(({ path }) => presentPart(value, path)).map(part => [part.join('\0'), part]));
  const isWithinAnother = (part: readonly PropertyKey[]) =>
    part.some((_, depth) => parts.has(part.slice(0, depth).join('\0')) && depth > 0);
  return [...parts.values()].filter(part => !isWithinAnother(part));
}

/** As much of a path as there is in a value: where a demanded field is missing, its object has to go. */
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

/** What is to be taken away below a value, by key; of an element of an array its place in decimal digits. */
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

/** A copy of `value` without all that is to be cut, in one pass over it; of an array the element is taken, not its place. */
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
    : Object.fromEntries(Object.entries(value).flatMap(([name, part]) => left(name, part).map(kept => [name, kept])));
}
