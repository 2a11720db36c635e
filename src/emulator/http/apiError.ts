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
export interface ErrorBody {
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
  /** Additional fields of the error. */
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
