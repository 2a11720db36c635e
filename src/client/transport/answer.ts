import type { IgnoredField } from '../ignoredFields';

/** What one call brought back: the decoded body and the `request-id` header that every response of the service carries. */
export interface Answer<T> {
  readonly data: T;
  readonly requestId: string | undefined;
  /** Fields of a create or an update that the service did not keep; absent if it kept all. */
  readonly ignored?: readonly IgnoredField[];
}

/** Options that every call takes. `signal` aborts the request and rejects with an `AbortedError` within 300 ms. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * One page of a list, whichever of the service's envelopes it came in. `nextCursor` is opaque: hand it back to the same
 * list call unchanged; absent on the last page.
 */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
  /** The service says that there is more behind this page, and not how to ask for it. */
  readonly isCut?: boolean;
  /** Number of rows that were left out because they have no id. Absent if there are none. */
  readonly unreadable?: number;
  readonly requestId: string | undefined;
}

/** Options of a list call. `limit` is the page size; its bounds vary by resource and belong to the service. */
export interface ListOptions extends CallOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A response body read as it arrives. Leaving the iteration early closes the connection. */
export interface ByteStream {
  readonly body: AsyncIterable<Uint8Array>;
  /** `Content-Length` in bytes when the service sent one and the body is not compressed. */
  readonly contentLength: number | undefined;
  readonly requestId: string | undefined;
}

/** A place in a body that was received up to there, and what told which body it was: its `ETag` or `Last-Modified`, and its size. */
export interface BodyPlace {
  readonly offset: number;
  readonly validator: string;
  readonly totalBytes: number;
  /** Its `Last-Modified`, where the `ETag` is the validator and both were given. */
  readonly lastModified?: string | undefined;
}

/** A body that can be taken up where it was cut, if the service offers that. */
export interface ResumableStream extends ByteStream {
  /** Offset of the first byte in the whole body: the one that was asked for, or 0. */
  readonly start: number;
  /** Bytes of the whole body, when they are known. */
  readonly totalBytes: number | undefined;
  /** What a `BodyPlace` in this body needs; undefined when the service does not offer to resume it. */
  readonly validator: string | undefined;
  readonly lastModified?: string | undefined;
}
