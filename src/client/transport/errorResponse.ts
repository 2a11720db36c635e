import { isRecord } from '../../shared/isRecord';
import { jsonOf } from '../../shared/jsonOf';
import type { RequestOutcome, ServiceErrorKind } from './errors';
import { safeWords } from './safeWords';

/** Contents of an error body in any of the known shapes. */
interface ErrorWords {
  readonly errorType?: string;
  readonly message?: string;
  readonly requestId?: string;
}

/**
 * Reads an error body: the contract's `{type, error: {type, message}, request_id}`, also without the outer `type`, `{error: "text"}`, or
 * `{success: false, error: {issues}}`. Gateways return `{message}`, `{detail}`, plain text or an HTML page.
 */
export function readErrorBody(text: string): ErrorWords {
  const value = jsonOf(text);
  if (value === undefined) {
    return { message: plainWords(text) };
  }
  if (!isRecord(value)) {
    return { message: typeof value === 'string' ? words(value) : undefined };
  }
  const error = value.error;
  const requestId = typeof value.request_id === 'string' ? safeWords(value.request_id, 200) : undefined;
  if (!isRecord(error)) {
    const message = words(error) ?? words(value.message) ?? words(value.detail) ?? words(value.title);
    return { message, requestId, errorType: words(value.code, 100) };
  }
  return {
    errorType: words(error.type, 100) ?? words(error.code, 100),
    message: words(error.message) ?? issueWords(error.issues) ?? words(error.name),
    requestId: requestId ?? words(error.request_id, 200),
  };
}

function issueWords(issues: unknown): string | undefined {
  if (!Array.isArray(issues)) {
    return undefined;
  }
  const sentences = issues.slice(0, 5).map(issue => {
    if (!isRecord(issue)) {
      return words(issue);
    }
    const path = Array.isArray(issue.path) ? issue.path.join('.') : '';
    const message = words(issue.message) ?? words(issue.code);
    return path !== '' && message !== undefined ? `${safeWords(path, 100)}: ${message}` : message;
  });
  const known = sentences.filter(sentence => sentence !== undefined);
  return known.length > 0 ? known.join('; ') : undefined;
}

function plainWords(text: string): string | undefined {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text)) {
    return words(text);
  }
  const lower = text.toLowerCase();
  const title = elementText(text, lower, '<title') ?? elementText(text, lower, '<h1');
  return title === undefined ? undefined : words(title);
}

/** Returns the text of the first element whose tag starts with `tagStart`, up to the next tag. */
function elementText(page: string, lower: string, tagStart: string): string | undefined {
  const at = lower.indexOf(tagStart);
  const from = at < 0 ? -1 : page.indexOf('>', at);
  return from < 0 ? undefined : page.slice(from + 1).split('<', 1)[0];
}

function words(value: unknown, limit?: number): string | undefined {
  const text = typeof value === 'string' ? safeWords(value, limit) : '';
  return text === '' ? undefined : text;
}

/** Error types that are more specific than the status. For generic types, the status decides. */
const kindsByType: ReadonlyMap<string, ServiceErrorKind> = new Map([
  ['authentication_error', 'authentication'],
  ['billing_error', 'billing'],
  ['permission_error', 'permission'],
  ['not_found_error', 'not_found'],
  ['conflict_error', 'conflict'],
  ['memory_path_conflict_error', 'conflict'],
  ['memory_precondition_failed_error', 'conflict'],
  ['request_too_large', 'request_too_large'],
  ['rate_limit_error', 'rate_limit'],
  ['timeout_error', 'timeout'],
  ['overloaded_error', 'overloaded'],
]);

const kindsByStatus: ReadonlyMap<number, ServiceErrorKind> = new Map([
  [400, 'invalid_request'],
  [401, 'authentication'],
  [402, 'billing'],
  [403, 'permission'],
  [404, 'not_found'],
  [408, 'timeout'],
  [409, 'conflict'],
  [412, 'conflict'],
  [413, 'request_too_large'],
  [422, 'invalid_request'],
  [429, 'rate_limit'],
  [504, 'timeout'],
  [529, 'overloaded'],
]);

const genericKinds: ReadonlyMap<string, ServiceErrorKind> = new Map([
  ['invalid_request_error', 'invalid_request'],
  ['api_error', 'api'],
]);

/**
 * Returns the kind of an error response. A specific `error.type` has priority over the status, and the status over a generic type
 * (contract, Errors).
 */
export function errorKind(status: number, errorType: string | undefined): ServiceErrorKind {
  const type = errorType ?? '';
  return kindsByType.get(type) ?? kindsByStatus.get(status) ?? genericKinds.get(type) ?? (status >= 500 ? 'api' : 'other_status');
}

/**
 * Statuses that servers and gateways send before they handle or forward the request. These statuses are about the key, the method, the
 * length or the media type.
 */
const beforeHandling: ReadonlySet<number> = new Set([401, 405, 411, 415]);
/** Statuses about the request itself. A gateway or a handler can also send them after a create was carried out. */
const aboutRequest: ReadonlySet<number> = new Set([400, 402, 422]);
/** Statuses about existence, access or limits of a resource. Gateways also send these statuses. */
const aboutResource: ReadonlySet<number> = new Set([403, 404, 409, 410, 412, 413]);

/**
 * Returns the outcome of a call with an error response: `refused`, or `unknown` if the service may have acted. Only this function decides
 * whether a create may be sent again.
 *
 * A create (`creates`) was refused only with a 4xx, a 529, or a 503 with `Retry-After`. The body must also be an error in the service's own
 * form or a validation report (`isValidationReport`). Frameworks return such a report before a handler runs. For `beforeHandling`, any JSON
 * object with a message is enough.
 *
 * Any other response to a create is `unknown`. A gateway can forward the whole request and return its own error. Other 5xx can follow after
 * the work was done.
 *
 * Calls other than creates were refused with a 401, a 429, a 529, or a 503 with `Retry-After`, with any body. For `beforeHandling`,
 * `aboutRequest` and `aboutResource`, the body must be a JSON object with a message.
 *
 * Until the last byte of a batch is sent, the response does not matter (see `failureReason` in `submit.ts`).
 */
export function errorOutcome(status: number, hasRetryAfter: boolean, body: string, creates = false): RequestOutcome {
  const hasNoRoom = status === 429 || status === 529 || (status === 503 && hasRetryAfter);
  if (!creates && (hasNoRoom || status === 401)) {
    return 'refused';
  }
  const canRefuse = hasNoRoom || (status >= 400 && status < 500);
  const isLoose = beforeHandling.has(status) || (!creates && (aboutRequest.has(status) || aboutResource.has(status)));
  return canRefuse && isOwnError(body, isLoose) ? 'refused' : 'unknown';
}

/**
 * Returns whether an error body is in the service's own form (`{error: {type}}` or `{success: false, error}`) or a validation report. If
 * `isLoose`, any object with a message counts.
 */
function isOwnError(text: string, isLoose: boolean): boolean {
  const value = jsonOf(text);
  if (!isRecord(value)) {
    return false;
  }
  const { error } = value;
  return (
    (isRecord(error) && (typeof error.type === 'string' || value.success === false)) ||
    isValidationReport(value.detail) ||
    (isLoose && readErrorBody(text).message !== undefined)
  );
}

/** Returns whether `detail` lists invalid fields, each with its path: `[{loc: [...], msg, type}]`. */
function isValidationReport(detail: unknown): boolean {
  return (
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every(issue => isRecord(issue) && Array.isArray(issue.loc) && typeof issue.msg === 'string')
  );
}
