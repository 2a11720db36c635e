import { ServiceError, type ServiceErrorKind } from '../transport/errors';
import type { WatchState } from './watchUpdates';

/** End of a connection: the error if it failed, and the delay that the stream requested, in milliseconds. */
export interface StreamEnd {
  readonly error?: unknown;
  readonly retry?: number;
}

/** Maximum requested delay that is honoured, in milliseconds. */
const slowestRetry = 30_000;
const passing: ReadonlySet<number> = new Set([408, 429]);
const gone: ReadonlySet<number> = new Set([404, 410]);
const unknown: ReadonlySet<number> = new Set([405, 501]);
/** Kinds of failures on this machine that a later attempt can't fix. */
const final: ReadonlySet<ServiceErrorKind> = new Set(['no_credential', 'foreign_origin', 'insecure_http', 'invalid_request']);

/**
 * Returns why a failed stream must not be tried again, or `undefined` if another attempt is worthwhile. If the stream is not found,
 * `wasAttached` decides. The session was deleted if the stream was attached before. Otherwise, the service doesn't offer such streams.
 */
export function reasonToEnd(error: unknown, wasAttached: boolean): Extract<WatchState, { readonly name: 'ended' }>['reason'] | undefined {
  if (!(error instanceof ServiceError)) {
    return undefined;
  }
  const { kind, status } = error;
  if (kind === 'aborted') {
    return 'closed';
  }
  if (status === undefined) {
    return final.has(kind) ? 'refused' : undefined;
  }
  if (gone.has(status)) {
    return wasAttached ? 'deleted' : 'unsupported';
  }
  if (unknown.has(status)) {
    return 'unsupported';
  }
  return status >= 400 && status < 500 && !passing.has(status) ? 'refused' : undefined;
}

/** Returns whether the service responded but doesn't stream now. Such a service may still return its history. */
export function isServiceResponse(error: unknown): boolean {
  return error instanceof ServiceError && ((error.status ?? 0) >= 500 || error.kind === 'mismatch' || error.kind === 'first_byte_timeout');
}

/** Returns the delay that the service requested before the next attempt, by `Retry-After` or the stream's `retry`, in milliseconds. */
export function askedPause({ error, retry }: StreamEnd): number {
  const asked = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
  return Math.max(asked, Math.min(retry ?? 0, slowestRetry));
}

/** Returns the error, or `undefined` for a silence, because the network may have caused the silence. */
export function withoutSilence(error: unknown): unknown {
  return error instanceof ServiceError && error.kind === 'silence_timeout' ? undefined : error;
}
