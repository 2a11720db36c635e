import { ServiceError, type ServiceErrorKind } from '../transport/errors';
import type { WatchState } from './watchUpdates';

/** What ended a connection: an error, when it was a failure, and the milliseconds that the stream asked to wait. */
export interface StreamEnd {
  readonly error?: unknown;
  readonly retry?: number;
}

/** A pause that the stream itself asks for is heeded up to here. */
const slowestRetry = 30_000;
const passing: ReadonlySet<number> = new Set([408, 429]);
const gone: ReadonlySet<number> = new Set([404, 410]);
const unknown: ReadonlySet<number> = new Set([405, 501]);
/** What no later attempt will change, although no service said so. */
const final: ReadonlySet<ServiceErrorKind> = new Set(['no_credential', 'foreign_origin', 'insecure_http', 'invalid_request']);

/**
 * Why a stream that failed so will never come: undefined when it is worth another attempt. A stream that is not there was deleted
 * when it had been there before; otherwise the service does not know such streams.
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

/** Whether a service answered that does not stream at the moment: it may tell its history all the same. */
export function isAnswer(error: unknown): boolean {
  return error instanceof ServiceError && ((error.status ?? 0) >= 500 || error.kind === 'mismatch' || error.kind === 'first_byte_timeout');
}

/** Milliseconds that the service wants to pass before the next attempt: its `Retry-After`, or what the stream asked for. */
export function askedPause({ error, retry }: StreamEnd): number {
  const asked = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
  return Math.max(asked, Math.min(retry ?? 0, slowestRetry));
}

/** An error, unless it is a silence: that is what a cut looks like from here, and says nothing about the service. */
export function withoutSilence(error: unknown): unknown {
  return error instanceof ServiceError && error.kind === 'silence_timeout' ? undefined : error;
}
