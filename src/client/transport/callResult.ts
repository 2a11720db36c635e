import type { IgnoredField } from '../ignoredFields';

/** Result of one call: the decoded body and the `request-id` header that every response of the service carries. */
export interface CallResult<T> {
  readonly data: T;
  readonly requestId: string | undefined;
  /** Fields of a create or an update that the service did not save. Absent if the service saved all fields. */
  readonly ignored?: readonly IgnoredField[];
}

/** Options that every call takes. `signal` aborts the request. The call then rejects as `aborted` within 300 ms. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * One page of a list, from any of the service's envelopes. `nextCursor` is opaque and must be passed unchanged to the same list call. The
 * last page has no `nextCursor`.
 */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
  /** True if the service has more rows after this page but does not say how to request them. */
  readonly isCut?: boolean;
  /** Number of rows that were left out because they have no id. Absent if no row was left out. */
  readonly unreadable?: number;
  readonly requestId: string | undefined;
}

/** Options of a list call. `limit` is the page size. The service checks its bounds, which vary by resource. */
export interface ListOptions extends CallOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Response body, read as it arrives. Leaving the iteration early closes the connection. */
export interface ByteStream {
  readonly body: AsyncIterable<Uint8Array>;
  /** `Content-Length` in bytes if the service sent this header and the body is not compressed. */
  readonly contentLength: number | undefined;
  readonly requestId: string | undefined;
}

/** Offset up to which a body was received, and the identity of the body: its `ETag` or `Last-Modified`, and its size. */
export interface BodyPosition {
  readonly offset: number;
  readonly validator: string;
  readonly totalBytes: number;
  /** `Last-Modified` of the body, if the `ETag` is the validator and the response had both. */
  readonly lastModified?: string | undefined;
}

/** Response body that can be resumed after an interruption, if the service offers that. */
export interface ResumableStream extends ByteStream {
  /** Offset of the first byte in the whole body: the requested offset, or 0. */
  readonly start: number;
  /** Size of the whole body in bytes, if known. */
  readonly totalBytes: number | undefined;
  /** Validator for a `BodyPosition` in this body. `undefined` if the service can't resume the body. */
  readonly validator: string | undefined;
  readonly lastModified?: string | undefined;
}
