/** A request body of known size that can be opened once, so that no part of it has to stand in memory as one string. */
export interface StreamedBody {
  /** Exact size in bytes, sent as `Content-Length`. */
  readonly byteLength: number;
  /** Each piece is valid until the next is asked for: its memory may be used again. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}
