/** Request body of known size. Can be opened once. Does not have to be in memory as a whole. */
export interface StreamedBody {
  /** Exact size in bytes, sent as `Content-Length`. */
  readonly byteLength: number;
  /** Opens the body. Each piece is valid only until the next piece is requested, because its memory may be reused. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}
