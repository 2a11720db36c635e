import type * as z from 'zod';
import { invalidRequest } from './apiError';

/** Parses a value by a schema. Throws a 400 that names the field: `tools.0.name: Field required`. */
export function checkBody<S extends z.ZodType>(schema: S, value: unknown, where = ''): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw invalidRequest(problemOf(parsed.error, where));
  }
  return parsed.data;
}

/** Returns the first issue in the service's form. For a union, that of the closest variant. `where` is prepended to the path. */
export function problemOf(error: z.ZodError, where = ''): string {
  let path: readonly PropertyKey[] = where === '' ? [] : [where];
  let issue: z.core.$ZodIssue | undefined = error.issues[0];
  for (let depth = 0; issue?.code === 'invalid_union' && depth < 10; depth++) {
    const closest: z.core.$ZodIssue[] | undefined = [...issue.errors].sort((a, b) => deepest(b) - deepest(a))[0];
    if (closest?.[0] === undefined) {
      break;
    }
    path = [...path, ...issue.path];
    issue = closest[0];
  }
  if (issue === undefined) {
    return 'Invalid request';
  }
  path = [...path, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return `${[...path, issue.keys[0] ?? ''].join('.')}: Extra inputs are not permitted`;
  }
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return `${path.join('.') || 'params'}: ${missing ? 'Field required' : issue.message}`;
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(issue => issue.path.length));
}
