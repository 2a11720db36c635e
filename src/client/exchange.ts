import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { StreamedBody } from './answer';
import { ConnectFailure } from './connector';
import type { HttpConnection } from './httpConnection';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | StreamedBody;
  readonly onProgress?: (sentBytes: number) => void;
  readonly timeouts: ExchangeTimeouts;
}

/** Milliseconds. `call` covers everything up to the last byte of the body, or up to the headers when `streamed`. */
export interface ExchangeTimeouts {
  readonly firstByte: number;
  readonly silence: number;
  readonly call: number;
  readonly streamed: boolean;
}

export type ExchangeReason = 'connect' | 'first_byte' | 'silence' | 'call' | 'lost' | 'protocol' | 'aborted' | 'body';

/** How an exchange ended badly. `sent` is false only when not one byte of the request can have reached the socket. */
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
  /** To be read to its end or left early, once; failures are `ExchangeFailure`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection when the body is not wanted. */
  cancel(): void;
}

const highWater = 512 * 1024;
const lowWater = 128 * 1024;

/**
 * One request and its answer on one connection: time-outs per phase, back-pressure, and a promise that settles at once when
 * the signal aborts. `done` is called once when the connection is no longer needed.
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

  constructor(
    private readonly connection: HttpConnection,
    private readonly request: OutgoingRequest,
    private readonly signal: AbortSignal | undefined,
    private readonly done: (reusable: boolean) => void,
  ) {}

  /** Sends the request and settles with the head of the answer. */
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
      this.upload = new UploadSource(body, request.onProgress, () => this.onUploaded());
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
      // An upload may take as long as it moves: silence counts, in both directions.
      this.arm(timeouts.call, 'call');
    }
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.failure !== undefined) {
      return;
    }
    this.hasHead = true;
    this.reusable = this.upload === undefined && !/\bclose\b/i.test(String(headers.connection ?? ''));
    if (this.request.timeouts.streamed) {
      clearTimeout(this.callTimer);
    }
    this.arm(this.request.timeouts.silence, 'silence');
    this.resolve({ status, headers, body: this.read(), cancel: () => this.fail('aborted') });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.phaseTimer?.refresh();
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered > highWater && !this.isEnding) {
      controller.pause();
      // A slow reader is not a silent service.
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
      // Once there was a head, a parser that stumbles has met the end of the connection.
      this.fail(!this.hasHead && isProtocolError(error) ? 'protocol' : 'lost', error);
    }
  }

  private readonly onAbort = () => this.fail('aborted', this.signal?.reason);

  private onUploaded(): void {
    if (this.phaseTimer !== undefined && this.failure === undefined) {
      this.phaseTimer.refresh();
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
    // undici still has steps to do on the connection when it says that the answer is whole.
    queueMicrotask(() => this.done(reusable));
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      while (true) {
        // What arrived before a failure is still handed out: a reader may use the whole lines of a cut file.
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

/** Bytes that are no HTTP. */
function isProtocolError(error: Error): boolean {
  return error.name === 'HTTPParserError' || (error as NodeJS.ErrnoException).code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** A write of this many bytes or more always waits until the socket has handed them to the system. */
const waitedForBytes = 64 * 1024;

/**
 * The bytes of a streamed body, exactly as many as it promised, as undici iterates over them: it asks for the next piece when the
 * socket has room. The last piece is held back until the source has ended well: a source that fails at its very end leaves the
 * service with a request that is not whole.
 */
class UploadSource {
  readonly byteLength: number;
  error: unknown;
  private readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
  private readonly controller = new AbortController();

  constructor(
    private readonly source: StreamedBody,
    private readonly onProgress: ((sentBytes: number) => void) | undefined,
    private readonly onMoved: () => void,
  ) {
    this.byteLength = source.byteLength;
    this.pieces = this.read();
  }

  /** For undici, which documents that it takes async iterables; its types do not know that. */
  get body(): Readable {
    return this.pieces as unknown as Readable;
  }

  /** Lets go of the source, also when undici will never ask for another piece. */
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
        // The source may use the memory of a piece again before a small one has left the socket, and while the last is held.
        const own = piece.byteLength < waitedForBytes || taken === this.byteLength ? Uint8Array.from(piece) : piece;
        if (taken === this.byteLength) {
          last = own;
        } else {
          yield own;
          this.moved(taken);
        }
      }
      if (taken !== this.byteLength) {
        throw new Error(
          `The request body has ${taken > this.byteLength ? 'more' : 'fewer'} bytes than the ${this.byteLength} it was announced with.`,
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
      this.moved(taken);
    }
  }

  private moved(sentBytes: number): void {
    this.onMoved();
    this.onProgress?.(sentBytes);
  }
}
