import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { ServiceClientOptions } from '../../../src/client/clientOptions';
import { dialects } from '../../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import type { ClientClock } from '../../../src/client/transport/retryPolicy';

export const canary = 'CANARY-k7-0123456789abcdef';

/** Servers and clients of a test. Call `closeAll` in `afterEach`. */
export class Loopback {
  private readonly closers: (() => Promise<void>)[] = [];

  /** Starts an HTTP server. Returns its origin. */
  async http(handler: http.RequestListener): Promise<string> {
    const server = http.createServer(handler);
    return `http://127.0.0.1:${await this.listen(server)}`;
  }

  /** Starts a plain socket server. Returns its origin. */
  async tcp(onSocket: (socket: Socket) => void): Promise<string> {
    return `http://127.0.0.1:${await this.listen(net.createServer(onSocket))}`;
  }

  /** Starts a server that responds to every request with the bytes of `answer` and then calls `after`. */
  raw(answer: string | Buffer, after: (socket: Socket) => void = socket => socket.end()): Promise<string> {
    return this.tcp(socket => {
      socket.once('data', () => socket.write(answer, () => after(socket)));
    });
  }

  /** Returns a port on which nothing listens. */
  async closedPort(): Promise<number> {
    const server = net.createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise(resolve => server.close(resolve));
    return port;
  }

  client(origin: string, options: Partial<ServiceClientOptions> = {}): ServiceClient {
    const client = createServiceClient({
      baseUrl: origin,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key: canary, origin: new URL(origin).origin }),
      clock: instantClock(),
      ...options,
    });
    this.onClose(() => client.close());
    return client;
  }

  onClose(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  async listen(server: net.Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    this.onClose(async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise(resolve => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  async closeAll(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) {
      await close();
    }
  }
}

/** Returns a clock that records its waits and ends them immediately. */
export function instantClock(now = 0): ClientClock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: async milliseconds => {
      waits.push(milliseconds);
    },
  };
}

/** Returns the `ServiceError` that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ServiceError) {
      return error;
    }
    throw error;
  }
  throw new Error('it did not fail');
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

export function json(response: http.ServerResponse, value: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test', ...headers });
  response.end(JSON.stringify(value));
}

/** Returns a batch in the state right after its creation. */
export function newBatch(fields: object = {}): object {
  return { id: 'b', type: 'message_batch', processing_status: 'in_progress', created_at: new Date().toISOString(), ...fields };
}

export async function readBody(request: http.IncomingMessage): Promise<string> {
  return Buffer.concat(await collect<Buffer>(request)).toString();
}

/** Returns a promise with the function that resolves it. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Resets a connection, unlike `resetAndDestroy`, which closes gracefully first. */
export function reset(socket: Socket): void {
  const { _handle: handle } = socket as unknown as { _handle?: { reset(done: () => void): void } };
  handle?.reset(() => socket.destroy());
}
