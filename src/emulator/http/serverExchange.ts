import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { DialectName } from '../../client/dialect';
import { orAborted } from '../../shared/orAborted';
import { type FaultsOfRequest, noFaults } from '../faults';
import { ApiError, checkBody, invalidRequest } from './apiError';
import { toEraJson } from './eraFields';
import type { WireObject } from './toWire';

/** Thrown when a fault closes the connection: nothing more is sent on it. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut';
}

/** One request and its response. Everything is sent through this class, so that each response has its `request-id` and its faults. */
export class Exchange {
  readonly query: URLSearchParams;
  readonly path: string;
  /** Aborted when the client disconnects before the response is complete, or when the emulator stops. */
  readonly signal: AbortSignal;
  faults: FaultsOfRequest = noFaults;
  record: RecordedRequest | undefined;
  /**
   * True if the client waits for the state folder. Its connection then stays open until the folder is complete and another emulator can
   * take it.
   */
  waitsForEnd = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly requestId: string,
    readonly dialect: DialectName,
    /** Returns the emulator's time, in milliseconds since 1970. */
    private readonly now: () => number,
  ) {
    const url = request.url ?? '/';
    const queryAt = url.indexOf('?');
    this.path = queryAt < 0 ? url : url.slice(0, queryAt);
    this.query = new URLSearchParams(queryAt < 0 ? '' : url.slice(queryAt + 1));
    const gone = new AbortController();
    this.signal = gone.signal;
    response.once('close', () => {
      if (!response.writableFinished) {
        gone.abort();
      }
    });
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Yields the request's body as it arrives. Throws a 413 above `limit` bytes, and the network's error if the client disconnects. */
  async *chunks(limit: number): AsyncGenerator<Buffer, void, void> {
    if (Number(this.request.headers['content-length'] ?? 0) > limit) {
      throw tooLarge(limit);
    }
    const cut = this.faults.transport?.name === 'cutUpload' ? (this.faults.transport.bytes ?? 0) : Number.POSITIVE_INFINITY;
    let total = 0;
    if (cut === 0) {
      this.cut();
    }
    try {
      for await (const chunk of this.request.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = chunk;
        total += bytes.length;
        if (this.record !== undefined) {
          this.record.bodyBytes = total;
        }
        if (total > limit) {
          throw tooLarge(limit);
        }
        if (total >= cut) {
          this.cut();
        }
        yield bytes;
      }
    } finally {
      // A client that is still sending would not read the response, so the rest of a refused body is read and dropped.
      this.request.resume();
    }
    if (!this.request.complete) {
      throw new ConnectionCut('The client went away in the middle of its request.');
    }
  }

  async bytes(limit: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const chunk of this.chunks(limit)) {
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  async json(limit: number): Promise<unknown> {
    const body = await this.bytes(limit);
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    } catch {
      throw invalidRequest('Invalid JSON body');
    }
  }

  /** Reads a JSON body of at most `limit` bytes and parses it by a schema. Throws a 400 that names the field. */
  async parsed<S extends z.ZodType>(schema: S, limit = 1024 * 1024): Promise<z.output<S>> {
    return checkBody(schema, await this.json(limit));
  }

  async sendJson(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.send(status, { 'content-type': 'application/json', ...headers }, Buffer.from(toEraJson(value, this.dialect)));
  }

  async sendError(error: ApiError): Promise<void> {
    await this.sendJson(error.body(this.requestId), error.status, error.headers);
  }

  async send(status: number, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
    const sent = this.faults.transport?.name === 'badJson' && status === 200 ? body.subarray(0, Math.ceil(body.length / 2)) : body;
    this.start(status, { ...headers, 'content-length': String(sent.length) });
    await this.#writeAll([sent]);
  }

  /** Sends the bytes of a file from offset `from` to offset `length` (exclusive). If `from` is more than 0, the response is a 206. */
  async sendFile(file: string, length: number, headers: Readonly<Record<string, string>>, from = 0): Promise<void> {
    const range: Record<string, string> = from > 0 ? { 'content-range': `bytes ${from}-${length - 1}/${length}` } : {};
    this.start(from > 0 ? 206 : 200, { ...headers, ...range, 'content-length': String(length - from) });
    if (length === 0) {
      await this.#writeAll([]);
      return;
    }
    const bytes = createReadStream(file, { start: from, end: length - 1, highWaterMark: 256 * 1024 });
    if (this.faults.transport === undefined) {
      await pipeline(bytes, this.response, { signal: this.signal });
    } else {
      await this.#writeAll(bytes);
    }
  }

  /**
   * Sends pieces as they arrive, without a known length. If `pieces` throws `ConnectionCut`, closes the connection after the pieces sent so
   * far.
   */
  async sendStream(headers: Readonly<Record<string, string>>, pieces: AsyncIterable<Buffer>): Promise<void> {
    this.start(200, headers);
    try {
      await this.#writeAll(pieces);
    } catch (error) {
      if (error instanceof ConnectionCut && !this.request.socket.destroyed) {
        await this.#flush();
        this.cut();
      }
      throw error;
    }
  }

  /** Destroys the connection and throws `ConnectionCut`. */
  cut(): never {
    this.request.socket.destroy();
    throw new ConnectionCut('The connection was cut by a fault.');
  }

  /** Sends nothing until the client disconnects or the emulator stops. */
  async hang(): Promise<never> {
    this.request.resume();
    if (!this.signal.aborted) {
      await once(this.signal, 'abort');
    }
    throw new ConnectionCut('The client went away.');
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.faults.transport?.name === 'lostReplyAfterCommit') {
      this.cut();
    }
    if (this.record !== undefined) {
      this.record.status = status;
    }
    const skew = this.faults.content.get('clockSkew');
    const date = new Date(this.now() + (skew === undefined ? 0 : (skew.seconds ?? 3600) * 1000)).toUTCString();
    this.response.writeHead(status, { date, ...headers, 'request-id': this.requestId });
  }

  async #writeAll(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const fault = this.faults.transport;
    let budget = Number.POSITIVE_INFINITY;
    if (fault?.name === 'cutResponse' || (fault?.name === 'cutStream' && fault.bytes !== undefined)) {
      budget = fault.bytes ?? 16;
    } else if (fault?.name === 'stall') {
      budget = fault.bytes ?? 0;
    }
    for await (const piece of pieces) {
      for (const part of fault?.name === 'slowBody' ? cutInto(piece, Math.max(1, fault.bytes ?? 64)) : [piece]) {
        const sent = part.length > budget ? part.subarray(0, budget) : part;
        budget -= sent.length;
        await this.#write(sent);
        if (budget <= 0) {
          await this.#flush();
          await (fault?.name === 'stall' ? this.hang() : this.cut());
        }
        if (fault?.name === 'slowBody') {
          await sleep(fault.pause ?? 20, undefined, { signal: this.signal });
        }
      }
    }
    if (fault?.name === 'cutResponse') {
      await this.#flush();
      this.cut();
    }
    // A signal that is already aborted emits no event.
    this.signal.throwIfAborted();
    await new Promise<void>(resolve => this.response.end(resolve).once('close', resolve));
  }

  async #write(bytes: Buffer): Promise<void> {
    this.signal.throwIfAborted();
    if (!this.response.write(bytes)) {
      await once(this.response, 'drain', { signal: this.signal });
    }
  }

  /** Waits until everything written has left this process, because destroying a socket loses pending bytes. */
  async #flush(): Promise<void> {
    this.signal.throwIfAborted();
    const written = new Promise<void>((resolve, reject) => {
      this.response.write('', error => (error ? reject(error) : resolve()));
    });
    // A connection that breaks meanwhile does not call the callback of a write.
    await orAborted(written, this.signal);
  }
}

/** Returns an event, or its JSON, as the text of a server-sent event. */
export function toFrame(event: WireObject, json = JSON.stringify(event)): string {
  return `event: ${event.type}\ndata: ${json}\n\n`;
}

function* cutInto(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

function tooLarge(limit: number): ApiError {
  const size = `${limit / 1024 / 1024} MiB`;
  return new ApiError('invalid_request_error', `Request body is larger than the limit of ${size}`, { status: 413 });
}

/** Log entry of one request. Never contains a key or a body. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Headers by lower-case name. Authentication headers are only listed in `auth`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: readonly ('x-api-key' | 'bearer')[];
  readonly requestId: string;
  bodyBytes: number;
  /** Status of the response. `undefined` if no response was sent. */
  status: number | undefined;
  /** True if the response was sent completely. `undefined` while the response is being sent. */
  isWhole: boolean | undefined;
}

const secretHeaders = new Set(['x-api-key', 'authorization', 'proxy-authorization', 'cookie']);
const maxRequests = 2000;

/** Latest requests, for tests and for people who want to see the requests of a client. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];

  add(method: string, path: string, headers: NodeJS.Dict<string | string[]>, requestId: string): RecordedRequest {
    const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
    const record: RecordedRequest = {
      method,
      path,
      headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
      auth: [
        ...(headers['x-api-key'] === undefined ? [] : (['x-api-key'] as const)),
        ...(headers.authorization === undefined ? [] : (['bearer'] as const)),
      ],
      requestId,
      bodyBytes: 0,
      status: undefined,
      isWhole: undefined,
    };
    this.requests.push(record);
    if (this.requests.length > maxRequests) {
      this.requests.shift();
    }
    return record;
  }

  clear(): void {
    this.requests.length = 0;
  }
}

const anySize = Number.POSITIVE_INFINITY;

/**
 * Responds to a request whose fault replaces the whole response. Returns false if the request still has to be handled. A fault then only
 * affects the bytes that are read or sent.
 */
export async function respondWithFault(exchange: Exchange): Promise<boolean> {
  const fault = exchange.faults.transport;
  switch (fault?.name) {
    case 'stall':
      return fault.bytes === undefined ? exchange.hang() : false;
    case 'rateLimit':
      throw new ApiError('rate_limit_error', 'Emulated rate limit', { headers: { 'retry-after': String(fault.seconds ?? 1) } });
    case 'serverError':
      throw new ApiError('api_error', 'Emulated failure of the service', { status: fault.status ?? 500 });
    case 'notFound':
      throw new ApiError('not_found_error', 'Not found');
    case 'overloaded':
      throw new ApiError('overloaded_error', 'Overloaded');
    case 'lostReplyBeforeCommit':
      for await (const _ of exchange.chunks(anySize)) {
        // Reads the whole body, so that the client has sent everything before it loses the connection.
      }
      return exchange.cut();
    case 'html': {
      const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>This is not the service</h1></body></html>\n';
      await exchange.send(fault.status ?? 502, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(page));
      return true;
    }
    case 'redirect': {
      const location = fault.location ?? `http://127.0.0.1:9${exchange.request.url}`;
      await exchange.send(fault.status ?? 307, { location, 'content-type': 'text/plain' }, Buffer.from('Moved\n'));
      return true;
    }
    default:
      return false;
  }
}
