import type * as z from 'zod';

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

/** Error body of the service (contract, Errors). */
interface ErrorBody {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id: string;
}

/** Error that is returned in the service's own form: status, `error.type` and message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    type: string,
    message: string,
    details: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly fields?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.type = type;
    this.status = details.status ?? statusByType.get(type) ?? 400;
    this.headers = details.headers ?? {};
    this.fields = details.fields ?? {};
  }

  body(requestId: string): ErrorBody {
    return { type: 'error', error: { type: this.type, message: this.message, ...this.fields }, request_id: requestId };
  }
}

/** Creates a 400 that names the field: `requests.3.custom_id: Field required`. */
export function invalidRequest(message: string): ApiError {
  return new ApiError('invalid_request_error', message);
}
