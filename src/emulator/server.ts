import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Dialect, dialects } from '../client/dialect';
import { batchRoutes } from './batches/batchRoutes';
import { Batches } from './batches/batches';
import { handleControl } from './controlRoutes';
import type { Emulator, EmulatorOptions } from './emulator';
import { EmulatorClock } from './emulatorClock';
import { respondWithFault } from './http/respondWithFault';
import { ApiError } from './http/apiError';
import { checkBeta, checkHost, checkKey, checkVersion } from './http/guard';
import { matchRoute, type Route } from './http/matchRoute';
import type { Envelope } from './http/paging';
import { RequestLog } from './http/requestLog';
import { Exchange } from './http/serverExchange';
import { messageRoutes } from './messages/messageRoutes';
import { MessageService } from './messages/messageService';
import { ModelCatalog } from './models/modelCatalog';
import { modelRoutes } from './models/modelRoutes';
import { presencePath } from './otherEmulator';
import { Resources } from './resources';
import { ScenarioStore } from './scenarios';
import { randomId } from './state/randomId';
import { lastPort, lockPath, openStateFolder, type StateFolder } from './state/stateFolder';

/**
 * Starts the emulator on 127.0.0.1. Rejects if the port is in use, and with `StateFolderInUse` if its folder is. Only requests with the
 * key, the right `Host` and no `Origin` are handled. Every response has a `request-id`.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const scenarios = new ScenarioStore(options.scenario);
  const server = new EmulatorServer(options, scenarios);
  await server.start();
  return server;
}

class EmulatorServer implements Emulator {
  readonly key: string;
  readonly #options: EmulatorOptions;
  readonly #dialect: Dialect;
  readonly #scenarios: ScenarioStore;
  readonly #clock = new EmulatorClock();
  readonly #log = new RequestLog();
  readonly #server: http.Server;
  readonly #lockToken = randomId(24);
  readonly #open = new Map<Exchange, Promise<void>>();
  readonly #isReady: Promise<void>;
  #setReady: () => void = () => undefined;
  #port = 0;
  #routes: readonly Route[] = [];
  #batches: Batches | undefined;
  #resources: Resources | undefined;
  #folder: StateFolder | undefined;
  #watch: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: EmulatorOptions, scenarios: ScenarioStore) {
    this.#options = options;
    this.#scenarios = scenarios;
    this.#dialect = dialects[options.dialect ?? 'contract'];
    this.key = options.key ?? `emulator-${randomBytes(24).toString('base64url')}`;
    // A slow upload of a large batch is not an attack here.
    this.#server = http.createServer({ requestTimeout: 0 }, (request, response) => this.#receive(request, response));
    this.#isReady = new Promise(resolve => {
      this.#setReady = resolve;
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseGarbage(error, socket));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get requests() {
    return this.#log.requests;
  }

  async start(): Promise<void> {
    const { port, stateFolder } = this.#options;
    const last = stateFolder === undefined ? undefined : await lastPort(stateFolder);
    // A saved folder keeps its port, because clients know its batches by the URL.
    await this.#listen(port ?? last ?? 0).catch(async error => {
      if (port !== undefined || last === undefined) {
        throw error;
      }
      await this.#listen(0);
    });
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      this.#folder = await openStateFolder(this.#options.stateFolder, { port: this.#port, token: this.#lockToken });
      this.#watchFolder(this.#folder);
      const models = new ModelCatalog(this.#dialect.modelPrefix);
      const scenario = () => this.#scenarios.current;
      const envelope = (): Envelope => scenario().envelope ?? (this.#dialect.name === 'contract' ? 'page' : 'ids');
      const isContract = this.#dialect.name === 'contract';
      const messages = new MessageService({ models, isContract, key: this.key, now: () => this.#clock.now() });
      const { path: folder, isPersistent } = this.#folder;
      const context = { folder, isPersistent, clock: this.#clock, stores: [] };
      this.#batches = await new Batches(context, { messages, scenario }).load();
      this.#resources = await Resources.open(context, this.#dialect, scenario);
      this.#routes = [
        ...batchRoutes({ dialect: this.#dialect, batches: this.#batches, envelope, resultsUrl: id => this.#resultsUrl(id) }),
        ...modelRoutes(models, envelope),
        ...messageRoutes({ messages, scenario, dialect: this.#dialect }),
        ...this.#resources.routes,
      ];
      this.#setReady();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  setScenario(patch: Parameters<Emulator['setScenario']>[0]): void {
    this.#scenarios.change(patch);
  }

  advanceClock(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds);
  }

  get openStreams(): number {
    return this.#resources?.openStreams.size ?? 0;
  }

  cutStreams(): void {
    this.#resources?.cutStreams();
  }

  appendEvents(...parameters: Parameters<Emulator['appendEvents']>): ReturnType<Emulator['appendEvents']> {
    return this.#running.appendEvents(...parameters);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#batches?.stop();
    this.#resources?.webhooks.end();
    const answering = [...this.#open].filter(([{ waitsForEnd }]) => !waitsForEnd);
    for (const [{ request }] of answering) {
      request.socket.destroy();
    }
    try {
      await Promise.all([this.#clock.stop(), ...answering.map(([, done]) => done)]);
      await this.#resources?.stop();
      await this.#folder?.release();
    } finally {
      await this.#close();
    }
  }

  /** Emulators that wait for the folder are notified only now: reading it before everything is written would lose the rest. */
  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#open.values());
  }

  #watchFolder(folder: StateFolder): void {
    const { onLost } = this.#options;
    if (onLost !== undefined && folder.isPersistent) {
      const look = async () => (await folder.isLost()) && this.#stopped === undefined && onLost();
      this.#watch = setInterval(() => void look(), betweenLooks).unref();
    }
  }

  get #running(): Resources {
    if (this.#resources === undefined) {
      throw new Error('The emulator does not run.');
    }
    return this.#resources;
  }

  /** The contract shows a path. The recorded services return a complete URL. */
  #resultsUrl(id: string): string {
    const path = `/v1/messages/batches/${id}/results`;
    return this.#dialect.name === 'contract' ? path : this.url + path;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const exchange = new Exchange(request, response, `req_${randomId(24)}`, this.#dialect.name, () => this.#clock.now());
    const done = this.#answer(exchange).finally(() => this.#open.delete(exchange));
    this.#open.set(exchange, done);
  }

  async #answer(exchange: Exchange): Promise<void> {
    try {
      await this.#handle(exchange);
    } catch (error) {
      await this.#fail(exchange, error);
    }
  }

  async #handle(exchange: Exchange): Promise<void> {
    checkHost(exchange, this.#port);
    if (exchange.path === lockPath + this.#lockToken) {
      exchange.waitsForEnd = true;
      // The other emulator will use this one instead. While this one is still reading its folder, it would find nothing here.
      await Promise.race([Promise.all([this.#isReady, this.#options.whenWanted?.()]), exchange.hang()]);
      if (this.#stopped !== undefined) {
        await exchange.hang();
      }
      await exchange.sendJson({ key: this.key });
      return;
    }
    checkKey(exchange, this.key);
    const { request } = exchange;
    if (exchange.path === presencePath) {
      exchange.waitsForEnd = true;
      exchange.start(200, {});
      exchange.response.flushHeaders();
      await exchange.hang();
    }
    if (this.#stopped !== undefined) {
      // The state is being saved for the last time.
      exchange.cut();
    }
    if (exchange.path.startsWith('/_emulator/')) {
      await handleControl(exchange, { scenarios: this.#scenarios, clock: this.#clock, log: this.#log, resources: this.#running });
      return;
    }
    const record = this.#log.add(request.method ?? '', request.url ?? '', request.headers, exchange.requestId);
    exchange.record = record;
    exchange.response.once('close', () => {
      record.isWhole = exchange.response.writableFinished;
    });
    const match = matchRoute(this.#routes, request.method, exchange.path);
    if (match === undefined) {
      throw new ApiError('not_found_error', 'Not found');
    }
    const { route, id, childId } = match;
    exchange.faults = this.#scenarios.take(route.name);
    if (await respondWithFault(exchange)) {
      return;
    }
    checkVersion(exchange, this.#dialect);
    if (route.beta !== undefined) {
      checkBeta(exchange, this.#dialect, route.beta);
    }
    await route.handle(exchange, id, childId);
  }

  /** Responds with a failure in the service's form. If the response has already started, closes the connection. */
  async #fail(exchange: Exchange, error: unknown): Promise<void> {
    const { response, request } = exchange;
    if (response.headersSent || exchange.signal.aborted || request.socket.destroyed) {
      request.socket.destroy();
      return;
    }
    const known = error instanceof ApiError ? error : new ApiError('api_error', error instanceof Error ? error.message : String(error));
    await exchange.sendError(known).catch(() => request.socket.destroy());
  }
}

/** Interval between two checks that this emulator still owns the folder, in milliseconds. */
const betweenLooks = 1_000;

/** Responds to bytes that are not an HTTP request in the service's form, if the connection still allows it. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = `req_${randomId(24)}`;
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const body = JSON.stringify(
    new ApiError('invalid_request_error', tooLarge ? 'Headers are too large' : 'Not an HTTP request').body(requestId),
  );
  const head = [
    tooLarge ? 'HTTP/1.1 431 Request Header Fields Too Large' : 'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `request-id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
