import type { z } from 'zod';

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
  let issues = first.error.issues;
  for (let round = 0; round < 8; round++) {
    for (const issue of issues) {
      pruned = without(pruned, issue.path);
    }
    const next = schema.safeParse(pruned);
    if (next.success) {
      return next.data;
    }
    if (JSON.stringify(next.error.issues) === JSON.stringify(issues)) {
      return undefined;
    }
    issues = next.error.issues;
  }
  return undefined;
}

/** A copy of `value` without what stands at `path`; of an array the element is taken, not its place. */
function without(value: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    const index = Number(key);
    const kept = rest.length === 0 ? undefined : without(value[index], rest);
    return value.map((element, at) => (at === index ? kept : element)).filter((element, at) => at !== index || element !== undefined);
  }
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.flatMap(([name, element]) => {
      if (name !== key) {
        return [[name, element]];
      }
      return rest.length === 0 ? [] : [[name, without(element, rest)]];
    }),
  );
}
