import type * as z from 'zod';

/** Parses a value by a schema. Throws a 400 that names the field: `tools.0.name: Field required`. */
export function checkBody<S extends z.ZodType>(schema: S, value: unknown, where = ''): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw invalidRequest(problemOf(parsed.error, where));
  }
  return parsed.data;
}

/**
 * Returns the first issue in the service's form. For a union, returns the issue of the closest variant. `where` is prepended to the path.
 */
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
  const field = path.join('.') || 'params';
  if (issue.code !== 'invalid_type') {
    return `${field}: ${issue.message}`;
  }
  const wanted = issue.expected === 'object' ? 'an object' : `a valid ${issue.expected}`;
  return `${field}: ${issue.message.endsWith('received undefined') ? 'Field required' : `Input should be ${wanted}`}`;
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(issue => issue.path.length));
}

/** HTTP status per `error.type`. A missing type has status 400. */
const statusByType = new Map<string, number>([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** Error that is returned in the service's own form: status, `error.type` and message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  /** `fields` are further fields of the error. */
  constructor(
    readonly type: string,
    message: string,
    private readonly details: Partial<Record<'headers' | 'fields', Readonly<Record<string, string>>>> & { readonly status?: number } = {},
  ) {
    super(message);
    this.status = details.status ?? statusByType.get(type) ?? 400;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.details.headers ?? {};
  }

  /** Returns the body of the response (contract, Errors). */
  body(requestId: string): { readonly type: 'error'; readonly error: object; readonly request_id: string } {
    return { type: 'error', error: { type: this.type, message: this.message, ...this.details.fields }, request_id: requestId };
  }
}

/** Creates a 400 that names the field: `requests.3.custom_id: Field required`. */
export function invalidRequest(message: string): ApiError {
  return new ApiError('invalid_request_error', message);
}
