import type { Readable } from 'node:stream';
import type { StreamedBody } from '../../contract/streamedBody';

/** A write of at least this many bytes always waits until the socket has passed them to the system. */
const waitedForBytes = 64 * 1024;

/**
 * Bytes of a streamed body, exactly as many as declared, as undici iterates over them: it requests the next piece when the socket has room.
 * The last piece is held back until the source ended without error. If the source fails at its very end, the service receives an incomplete
 * request.
 */
export class UploadSource {
  readonly byteLength: number;
  error: unknown;
  private readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
  private readonly controller = new AbortController();

  constructor(
    private readonly source: StreamedBody,
    private readonly onProgress: ((sentBytes: number) => void) | undefined,
    private readonly onMoved: (piece: Uint8Array, isLast: boolean) => void,
  ) {
    this.byteLength = source.byteLength;
    this.pieces = this.read();
  }

  /** undici documents that it accepts async iterables, but its types don't include them. */
  get body(): Readable {
    return this.pieces as unknown as Readable;
  }

  /** Closes the source, also if undici will never request another piece. */
  close(): void {
    this.controller.abort();
    this.pieces.return().catch(() => {});
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    let last: Uint8Array | undefined;
    let taken = 0;
    try {
      for await (const piece of this.source.open(this.controller.signal)) {
        taken += piece.byteLength;
        if (taken > this.byteLength) {
          break;
        }
        if (piece.byteLength === 0) {
          continue;
        }
        // The source may reuse the memory of a piece before a small one has left the socket, and while the last one is held back.
        const own = piece.byteLength < waitedForBytes || taken === this.byteLength ? Uint8Array.from(piece) : piece;
        if (taken === this.byteLength) {
          last = own;
        } else {
          yield own;
          this.moved(own, taken);
        }
      }
      if (taken !== this.byteLength) {
        throw new Error(`The request body has ${taken > this.byteLength ? 'more' : 'fewer'} bytes than the announced ${this.byteLength}.`);
      }
    } catch (error) {
      if (!this.controller.signal.aborted) {
        this.error = error;
      }
      throw error;
    }
    if (last !== undefined) {
      yield last;
      this.moved(last, taken);
    }
  }

  private moved(piece: Uint8Array, sentBytes: number): void {
    this.onMoved(piece, sentBytes === this.byteLength);
    this.onProgress?.(sentBytes);
  }
}
