import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { type Dialect, type DialectName, dialects } from '../client/dialect';
import { EmulatorClock } from './emulatorClock';
import { ApiError, checkBody, invalidRequest } from './http/apiError';
import { checkBeta, checkHost, checkKey, checkVersion } from './http/guard';
import { matchRoute } from './http/kindRoutes';
import { Exchange, type RecordedRequest, RequestLog, respondWithFault } from './http/serverExchange';
import type { WireObject } from './http/toWire';
import { Resources } from './resources';
import { type Scenario, ScenarioStore } from './scenarios';
import type { WireEvent } from './sessions/eventLog';
import { stormEvents } from './sessions/scripts/oddityScripts';
import { randomId } from './state/recordStore';
import { lastPort, lockPath, openStateFolder, presencePath, type StateFolder } from './state/stateFolder';

export interface EmulatorOptions {
  /** Port on 127.0.0.1. 0 or absent chooses a free port. */
  readonly port?: number;
  /** API key to accept. If absent, a random key is created. */
  readonly key?: string;
  /** Dialect to use. The contract's own by default. */
  readonly dialect?: DialectName;
  /** Folder that stores batches, agents, sessions and files across restarts. If absent, nothing is stored. */
  readonly stateFolder?: string;
  readonly scenario?: Partial<Scenario>;
  /**
   * Called when another emulator requests `stateFolder`. Resolves if the folder is still needed. Otherwise the owner stops this emulator.
   */
  readonly whenWanted?: () => Promise<void>;
}

/**
 * Starts the emulator on 127.0.0.1. Rejects if the port is in use, and with `StateFolderInUse` if the folder is in use. Only requests with
 * the key, the right `Host` and no `Origin` are handled. Every response has a `request-id`.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = new Emulator(options);
  await emulator.start();
  return emulator;
}

export class Emulator {
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
  #resources: Resources | undefined;
  #folder: StateFolder | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: EmulatorOptions) {
    this.#options = options;
    this.#scenarios = new ScenarioStore(options.scenario);
    this.#dialect = dialects[options.dialect ?? 'contract'];
    this.key = options.key ?? `emulator-${randomBytes(24).toString('base64url')}`;
    // No time limit: the upload of a large batch can be slow.
    this.#server = http.createServer({ requestTimeout: 0 }, (request, response) => this.#receive(request, response));
    this.#isReady = new Promise(resolve => {
      this.#setReady = resolve;
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Latest received requests, oldest first, without those below `/_emulator`. */
  get requests(): readonly RecordedRequest[] {
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
      const { path: folder, isPersistent } = this.#folder;
      this.#resources = await Resources.open({
        context: { folder, isPersistent, clock: this.#clock },
        dialect: this.#dialect,
        scenario: () => this.#scenarios.current,
        key: this.key,
        url: this.url,
      });
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

  /** Changes parts of the scenario, like `POST /_emulator/scenario`. */
  setScenario(patch: Partial<Scenario>): void {
    this.#scenarios.change(patch);
  }

  /**
   * Moves the clock forward, like `POST /_emulator/clock`. Resolves when every due batch has ended and every due step of a session is done.
   */
  advanceClock(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds);
  }

  get openStreams(): number {
    return this.#resources?.openStreams.size ?? 0;
  }

  /** Closes every open event stream after sending its pending frames. */
  cutStreams(): void {
    this.#resources?.cutStreams();
  }

  /** Stores events unchanged. See `Resources.appendEvents`. */
  appendEvents(sessionId: string, events: readonly WireObject[], threadId?: string): Promise<readonly WireEvent[]> {
    return this.#running.appendEvents(sessionId, events, threadId);
  }

  /** Closes every connection. Resolves when the port is free again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#resources?.abort();
    const answering = [...this.#open].filter(([{ waitsForEnd }]) => !waitsForEnd);
    for (const [{ request }] of answering) {
      request.socket.destroy();
    }
    try {
      await Promise.all([this.#clock.stop(), ...answering.map(([, done]) => done)]);
      this.#resources?.stop();
      await this.#folder?.release();
    } finally {
      await this.#close();
    }
  }

  /** Closes the server, which notifies emulators that wait for the folder. Call this only when the folder is complete. */
  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#open.values());
  }

  get #running(): Resources {
    if (this.#resources === undefined) {
      throw new Error('The emulator is not running.');
    }
    return this.#resources;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const exchange = new Exchange(request, response, `req_${randomId(24)}`, this.#dialect.name, () => this.#clock.now());
    const done = this.#handle(exchange)
      .catch(error => this.#fail(exchange, error))
      .finally(() => this.#open.delete(exchange));
    this.#open.set(exchange, done);
  }

  async #handle(exchange: Exchange): Promise<void> {
    checkHost(exchange, this.#port);
    if (exchange.path === lockPath + this.#lockToken) {
      exchange.waitsForEnd = true;
      // The other emulator will use this emulator instead, so this emulator must have read the folder.
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
      // The folder is being released, so nothing may be written to it.
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
    const match = matchRoute(this.#resources?.routes ?? [], request.method, exchange.path);
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

const largestBody = 1024 * 1024;
const largestEvents = 64 * 1024 * 1024;
const stormPiece = 1000;

const advanceSchema = z.strictObject({ advance: z.number().min(0) });
const appendSchema = z.strictObject({ events: z.array(z.looseObject({ type: z.string() })), thread_id: z.string().optional() });
const stormSchema = z.strictObject({ count: z.int().min(1).max(1_000_000), thread_id: z.string().optional() });

interface ControlParts {
  readonly scenarios: ScenarioStore;
  readonly clock: EmulatorClock;
  readonly log: RequestLog;
  readonly resources: Resources;
}

/**
 * Handles requests below `/_emulator`, for tests and for people. These requests are not recorded and get no faults:
 *
 * | request                     | effect                                                                                               |
 * |-----------------------------|------------------------------------------------------------------------------------------------------|
 * | `GET`, `POST scenario`      | returns the scenario; changes parts of it                                                            |
 * | `GET`, `DELETE requests`    | returns the latest requests; deletes them                                                            |
 * | `GET`, `POST clock`         | returns the time; takes `{"advance": milliseconds}` and responds when all due work is done           |
 * | `GET streams`               | returns `{"open": n}`, the number of open event streams                                              |
 * | `DELETE streams`            | closes them                                                                                          |
 * | `GET webhooks`              | returns `{"attempts": [...]}`, the latest delivery attempts and their results                        |
 * | `POST sessions/{id}/events` | takes `{"events": [...], "thread_id"?}` and stores them unchanged, all at once                       |
 * | `POST sessions/{id}/storm`  | takes `{"count": n, "thread_id"?}` and stores that many events at once, without changing the session |
 */
async function handleControl(exchange: Exchange, parts: ControlParts): Promise<void> {
  const { scenarios, clock, log, resources } = parts;
  const path = exchange.path.slice('/_emulator/'.length);
  const [, sessionId, action] = /^sessions\/([^/]+)\/(events|storm)$/.exec(path) ?? [];
  if (sessionId !== undefined && exchange.request.method === 'POST') {
    return exchange.sendJson(await (action === 'storm' ? storm : append)(exchange, resources, sessionId));
  }
  switch (`${exchange.request.method} ${path}`) {
    case 'GET scenario':
      return exchange.sendJson(scenarios.current);
    case 'POST scenario':
      scenarios.change(await exchange.json(largestBody));
      return exchange.sendJson(scenarios.current);
    case 'GET requests':
      return exchange.sendJson({ requests: log.requests });
    case 'DELETE requests':
      log.clear();
      return exchange.sendJson({ requests: [] });
    case 'GET clock':
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    case 'POST clock': {
      const parsed = advanceSchema.safeParse(await exchange.json(largestBody));
      if (!parsed.success) {
        throw invalidRequest('advance: must be a number of milliseconds, 0 or more');
      }
      await clock.advance(parsed.data.advance);
      return exchange.sendJson({ now: new Date(clock.now()).toISOString() });
    }
    case 'GET webhooks':
      return exchange.sendJson({ attempts: resources.webhooks.attempts });
    case 'DELETE streams':
      resources.cutStreams();
      return exchange.sendJson({ open: resources.openStreams.size });
    case 'GET streams':
      return exchange.sendJson({ open: resources.openStreams.size });
    default:
      throw new ApiError('not_found_error', 'Not found');
  }
}

async function append(exchange: Exchange, resources: Resources, sessionId: string): Promise<object> {
  const { events, thread_id: threadId } = checkBody(appendSchema, await exchange.json(largestEvents));
  return { data: await resources.appendEvents(sessionId, events, threadId) };
}

async function storm(exchange: Exchange, resources: Resources, sessionId: string): Promise<object> {
  const { count, thread_id: threadId } = checkBody(stormSchema, await exchange.json(largestBody));
  for (let created = 0; created < count; created += stormPiece) {
    await resources.appendEvents(sessionId, stormEvents(created, Math.min(stormPiece, count - created)), threadId);
    await nextTurn();
  }
  return { count };
}
