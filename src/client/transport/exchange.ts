import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { StreamedBody } from '../../contract/streamedBody';
import { type BodyProgress, ByteProgress } from './bodyProgress';
import { ConnectFailure } from './connector';
import type { HttpConnection } from './httpConnection';

interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | StreamedBody;
  readonly onProgress?: (sentBytes: number) => void;
  /**
   * In milliseconds. `call` covers everything up to the last byte of the body. For an upload, `call` covers each part that counts as
   * progress, and then the response from its head on.
   */
  readonly timeouts: Readonly<Record<'firstByte' | 'silence' | 'call', number>>;
}

export type ExchangeReason = 'connect' | 'first_byte' | 'silence' | 'call' | 'lost' | 'protocol' | 'aborted' | 'body';

/** Failure of an exchange. `sent` is false only if no byte of the request can have reached the socket. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';

  constructor(
    readonly reason: ExchangeReason,
    readonly sent: boolean,
    override readonly cause?: unknown,
  ) {
    super(`exchange failed: ${reason}`);
  }
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body. Can be read once, completely or in part. Failures are `ExchangeFailure`s. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Removes the limit on the duration of the body, as long as `progress` reports progress within each silence time-out. */
  follow(progress: BodyProgress): void;
  /** Reports progress that only the reader of the body can see. */
  alive(): void;
  /** Closes the connection if the body is not needed. */
  cancel(): void;
}

/** Number of bytes that must be sent within the call time-out for an upload to count as progressing. */
const minUploaded = 16 * 1024;
const highWater = 512 * 1024;
const lowWater = 128 * 1024;

/**
 * One request and its response on one connection, with a time-out per phase and back-pressure. Its promise settles immediately when the
 * signal aborts. Calls `done` once when the connection is no longer needed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private resolve: (response: RawResponse) => void = () => {};
  private reject: (error: ExchangeFailure) => void = () => {};
  private readonly chunks: Buffer[] = [];
  private buffered = 0;
  private wake: (() => void) | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private phaseTimer: NodeJS.Timeout | undefined;
  private callTimer: NodeJS.Timeout | undefined;
  private failure: ExchangeFailure | undefined;
  private complete = false;
  private finished = false;
  private upload: UploadSource | undefined;
  private reusable = true;
  private hasHead = false;
  private isEnding = false;
  private progress: BodyProgress | undefined;
  private readonly uploaded = new ByteProgress(minUploaded);

  constructor(
    private readonly connection: HttpConnection,
    private readonly request: OutgoingRequest,
    private readonly signal: AbortSignal | undefined,
    private readonly done: (reusable: boolean) => void,
  ) {}

  /** Sends the request. Resolves with the head of the response. */
  run(): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.start();
    });
  }

  private start(): void {
    const { request, connection } = this;
    if (this.signal?.aborted) {
      this.fail('aborted', this.signal.reason);
      return;
    }
    this.signal?.addEventListener('abort', this.onAbort, { once: true });
    connection.beforeEnd = () => {
      this.isEnding = true;
      this.controller?.resume();
    };
    const body = request.body;
    if (body !== undefined && !(body instanceof Uint8Array)) {
      this.upload = new UploadSource(body, request.onProgress, (piece, isLast) => this.onUploaded(piece, isLast));
    } else {
      this.callTimer = setTimeout(() => this.fail('call'), request.timeouts.call);
    }
    try {
      connection.dispatch(
        {
          path: request.path,
          method: request.method,
          headers: { ...request.headers, ...(this.upload === undefined ? {} : { 'content-length': String(this.upload.byteLength) }) },
          body: this.upload?.body ?? (body instanceof Uint8Array ? body : null),
        },
        this,
      );
    } catch (error) {
      this.fail('protocol', error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure !== undefined) {
      controller.abort(this.failure);
      return;
    }
    const { timeouts } = this.request;
    if (this.upload === undefined) {
      this.arm(timeouts.firstByte, 'first_byte');
    } else {
      // An upload may take any time while it makes progress.
      this.arm(timeouts.call, 'call');
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.failure !== undefined) {
      return;
    }
    this.hasHead = true;
    this.reusable = this.upload === undefined && !/\bclose\b/i.test(String(headers.connection ?? ''));
    const { silence, call } = this.request.timeouts;
    this.arm(silence, 'silence');
    this.callTimer ??= setTimeout(() => this.fail('call'), call);
    this.resolve({
      status,
      headers,
      body: this.read(),
      follow: progress => this.follow(progress),
      alive: () => this.phaseTimer?.refresh(),
      cancel: () => this.fail('aborted'),
    });
  }

  private follow(progress: BodyProgress): void {
    clearTimeout(this.callTimer);
    this.progress = progress;
    for (const chunk of this.chunks) {
      progress.moved(chunk);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.progress === undefined || this.progress.moved(chunk)) {
      this.phaseTimer?.refresh();
    }
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered > highWater && !this.isEnding) {
      controller.pause();
      // A slow reader does not mean that the service is silent.
      clearTimeout(this.phaseTimer);
    }
    this.wake?.();
  }

  onResponseEnd(): void {
    this.complete = true;
    this.finish(this.reusable);
    this.wake?.();
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (error instanceof ConnectFailure) {
      this.fail('connect', error);
    } else if (this.upload?.error !== undefined) {
      this.fail('body', this.upload.error);
    } else {
      // After the head, a parser error means that the connection ended.
      this.fail(!this.hasHead && isProtocolError(error) ? 'protocol' : 'lost', error);
    }
  }

  private readonly onAbort = () => this.fail('aborted', this.signal?.reason);

  private onUploaded(piece: Uint8Array, isLast: boolean): void {
    if (this.failure === undefined && (this.uploaded.moved(piece) || isLast)) {
      this.phaseTimer?.refresh();
      this.callTimer?.refresh();
    }
  }

  private arm(milliseconds: number, reason: ExchangeReason): void {
    clearTimeout(this.phaseTimer);
    this.phaseTimer = setTimeout(() => this.fail(reason), milliseconds);
  }

  private fail(reason: ExchangeReason, cause?: unknown): void {
    if (this.failure !== undefined || this.complete) {
      return;
    }
    const sent = this.upload === undefined ? this.controller !== undefined : this.connection.bytesWritten > 0;
    this.failure = new ExchangeFailure(reason, sent, cause);
    this.reject(this.failure);
    this.finish(false);
    this.controller?.abort(this.failure);
    this.wake?.();
  }

  private finish(reusable: boolean): void {
    if (this.finished) {
      return;
    }
    this.finished = true;
    clearTimeout(this.phaseTimer);
    clearTimeout(this.callTimer);
    this.signal?.removeEventListener('abort', this.onAbort);
    this.connection.beforeEnd = undefined;
    this.upload?.close();
    // undici still uses the connection when it reports that the response is complete.
    queueMicrotask(() => this.done(reusable));
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      while (true) {
        // Data that arrived before a failure is still delivered, because a reader may use the complete lines of a truncated file.
        const chunk = this.failure?.reason === 'aborted' ? undefined : this.chunks.shift();
        if (chunk !== undefined) {
          this.buffered -= chunk.length;
          if (this.controller?.paused && this.buffered < lowWater) {
            this.arm(this.request.timeouts.silence, 'silence');
            this.controller.resume();
          }
          yield chunk;
          continue;
        }
        if (this.failure !== undefined) {
          throw this.failure;
        }
        if (this.complete) {
          return;
        }
        await new Promise<void>(resolve => {
          this.wake = resolve;
        });
        this.wake = undefined;
      }
    } finally {
      this.fail('aborted');
    }
  }
}

/** Returns whether the received bytes are not HTTP. */
function isProtocolError(error: Error): boolean {
  return error.name === 'HTTPParserError' || (error as NodeJS.ErrnoException).code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Minimum size of a write that always waits until the socket has passed the bytes to the system, in bytes. */
const waitedForBytes = 64 * 1024;

/**
 * Source of the bytes of a streamed body. Sends exactly the declared number of bytes. undici requests the next piece when the socket has
 * room. The last piece is held back until the source ended without error. If the source fails at its very end, the service receives an
 * incomplete request.
 */
class UploadSource {
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

  /** Closes the source, even if undici never requests another piece. */
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
        // The source may reuse the memory of a piece too early: before a small piece has left the socket, or while the last piece is held
        // back.
        const own = piece.byteLength < waitedForBytes || taken === this.byteLength ? Uint8Array.from(piece) : piece;
        if (taken === this.byteLength) {
          last = own;
        } else {
          yield own;
          this.moved(own, taken);
        }
      }
      if (taken !== this.byteLength) {
        throw new Error(
          `The request body has ${taken > this.byteLength ? 'more' : 'fewer'} bytes than the ${this.byteLength} of its Content-Length.`,
        );
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
