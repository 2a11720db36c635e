import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { ConnectFailure, type Connector } from './connector';

const maxIdle = 4;
/** Time that an idle connection stays open, in milliseconds. Less than the 5 s after which many servers close it. */
const idleTimeout = 4000;

/**
 * One connection to the service, used by one exchange at a time. undici's own pool hides the socket of a request. Here the socket is known,
 * so cancelling a call in any phase also closes the socket.
 */
export class HttpConnection {
  private readonly client: Dispatcher;
  private giveUpConnecting: (() => void) | undefined;
  private socket: Socket | undefined;
  private bytesBefore = 0;
  /** Called before undici notices the end of a socket, because undici fails an assertion if its parser is paused at that moment. */
  beforeEnd: (() => void) | undefined;

  constructor(origin: string, connector: Connector, keepAlive: boolean) {
    this.client = new Client(origin, {
      pipelining: keepAlive ? 1 : 0,
      keepAliveTimeout: idleTimeout,
      keepAliveMaxTimeout: idleTimeout,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 64 * 1024,
      connect: ({ hostname, protocol, port }, callback) => {
        const target = { hostname, protocol, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
        this.giveUpConnecting = connector.connect(target, (error, socket) => {
          this.giveUpConnecting = undefined;
          if (socket === undefined) {
            callback(error ?? new ConnectFailure('lost', 'no connection'), null);
          } else {
            this.adopt(socket);
            callback(null, socket);
          }
        });
      },
    });
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** Number of request bytes that reached the socket, without bytes of TLS and of a proxy's tunnel. */
  get bytesWritten(): number {
    return this.socket === undefined ? 0 : this.socket.bytesWritten - this.bytesBefore;
  }

  /** Closes the connection in any phase. Resolves when the socket is closed. */
  async destroy(): Promise<void> {
    this.giveUpConnecting?.();
    await this.client.destroy();
    this.socket?.destroy();
  }

  private adopt(socket: Socket): void {
    this.socket = socket;
    this.bytesBefore = socket.bytesWritten;
    socket.on('end', () => this.beforeEnd?.());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // undici treats a reset as the regular end of a body without length. A truncated body must never be accepted as complete.
      if (error.code === 'ECONNRESET') {
        error.code = 'ERR_CONNECTION_RESET';
      }
    });
  }
}

/** Connections to one origin. Reads reuse an open connection. Every other call gets a new connection. */
export class ConnectionPool {
  private readonly idle: HttpConnection[] = [];
  private readonly open = new Set<HttpConnection>();
  private closed = false;

  constructor(
    private readonly origin: string,
    private readonly connector: Connector,
  ) {}

  take(keepAlive: boolean): HttpConnection {
    const connection = (keepAlive ? this.idle.pop() : undefined) ?? new HttpConnection(this.origin, this.connector, keepAlive);
    this.open.add(connection);
    return connection;
  }

  /** Returns a connection to the pool. `reusable` is true if its exchange ended completely, so that another exchange may use it. */
  async give(connection: HttpConnection, reusable: boolean): Promise<void> {
    if (reusable && !this.closed && this.idle.length < maxIdle) {
      this.idle.push(connection);
    } else {
      this.open.delete(connection);
      await connection.destroy();
    }
  }

  /** Stops the reuse of connections. Closes idle connections now, and all others when they are returned. */
  async retire(): Promise<void> {
    this.closed = true;
    const idle = this.idle.splice(0);
    for (const connection of idle) {
      this.open.delete(connection);
    }
    await Promise.all(idle.map(connection => connection.destroy()));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.idle.length = 0;
    await Promise.all([...this.open].map(connection => connection.destroy()));
    this.open.clear();
  }
}
