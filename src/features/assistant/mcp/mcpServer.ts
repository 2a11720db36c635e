import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { boundedBytes } from '../../../common/files/boundedBytes';
import { jsonOf } from '../../../shared/jsonOf';
import { assistantTools } from '../tools';
import { McpCalls, type McpOffer, type McpResponse, protocolVersions, toFailure } from './mcpCalls';

const maxBytes = 1024 * 1024;
const mostConnections = 64;
/** Maximum number of connections without a token. */
const maxUnauthenticated = 16;
/** Maximum time for a client to send a whole request, in milliseconds. */
const patience = 10_000;

const mcpPath = '/mcp';

export interface McpServerOptions extends Pick<McpOffer, 'services' | 'version'> {
  readonly tools?: McpOffer['tools'];
  readonly patience?: number;
}

/** Thrown if a request is rejected before its body is read. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves the tools over the Model Context Protocol (streamable HTTP, with JSON responses) on a free port of 127.0.0.1 or at a socket, each
 * with its own token. Accepts only local programs that send the token. Rejects browser pages, whatever their host name.
 */
export class McpServer {
  readonly token = randomBytes(32).toString('base64url');
  /** Resolves when clients can connect. Rejects if the server can't listen. */
  readonly started: Promise<void>;
  private readonly location: ReturnType<typeof createSocketLocation> | undefined;
  private readonly calls: McpCalls;
  private readonly server: http.Server;
  /** Connections that have not sent the token yet, oldest first. */
  private readonly unauthenticated = new Set<Socket>();
  /** `Host` header that clients must send. */
  private host = 'localhost';

  constructor({ tools = assistantTools, services, version, patience: requestTimeout = patience }: McpServerOptions, at: 'socket' | 'port') {
    this.calls = new McpCalls({ tools, services, version });
    this.location = at === 'socket' ? createSocketLocation() : undefined;
    const limits = { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: Math.min(1_000, requestTimeout) };
    this.server = http.createServer(limits, (request, response) => {
      this.handle(request, response).catch(error => refuse(response, error));
    });
    this.server.maxConnections = mostConnections + maxUnauthenticated;
    this.server.on('connection', socket => this.admit(socket));
    this.started = this.listen();
  }

  private async listen(): Promise<void> {
    this.server.listen(this.location ?? { port: 0, host: '127.0.0.1' });
    await once(this.server, 'listening');
    const address = this.server.address();
    if (typeof address === 'object' && address !== null) {
      this.host = `127.0.0.1:${address.port}`;
    }
  }

  /** Path of the socket or named pipe. Empty for a port. */
  get path(): string {
    return this.location?.path ?? '';
  }

  /** URL for clients. For a socket, the URL contains the host name that clients must send. */
  get url(): string {
    return `http://${this.host}${mcpPath}`;
  }

  /** Ends all calls and connections, frees the port, and removes the socket. */
  dispose(): void {
    this.calls.end();
    this.server.close();
    this.server.closeAllConnections();
    this.location?.remove();
  }

  /** Closes the oldest connection without a token if there are too many, so that idle connections can't block other connections. */
  private admit(socket: Socket): void {
    this.unauthenticated.add(socket);
    socket.once('close', () => this.unauthenticated.delete(socket));
    const [oldest] = this.unauthenticated;
    if (this.unauthenticated.size > maxUnauthenticated) {
      oldest?.destroy();
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.demandOurs(request);
    this.unauthenticated.delete(request.socket);
    const message = await readMessage(request);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    respond(response, await this.calls.receive(message, String(request.headers['mcp-session-id'] ?? ''), gone.signal));
  }

  private demandOurs({ headers, url, method }: IncomingMessage): void {
    // Rejects browser pages, which send an `Origin` or, after DNS rebinding, another host name.
    if (headers.host !== this.host || headers.origin !== undefined) {
      throw new Refused(403, `Only programs on this machine can connect, at ${this.host} and without an Origin header.`);
    }
    if (!isSame(headers.authorization ?? '', `Bearer ${this.token}`)) {
      throw new Refused(401, 'The token is wrong. Copy the MCP configuration again.');
    }
    if (url !== mcpPath) {
      throw new Refused(404, `Not found. The only path is ${mcpPath}.`);
    }
    if (method !== 'POST') {
      throw new Refused(405, 'This server has no streams. Send each message as a POST.');
    }
    const version = headers['mcp-protocol-version'];
    if (version !== undefined && !protocolVersions.includes(String(version))) {
      throw new Refused(400, `Supported protocol versions: ${protocolVersions.join(', ')}.`);
    }
  }
}

async function readMessage(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Refused(415, 'Expected the content type application/json.');
  }
  const body = await boundedBytes(request as AsyncIterable<Buffer>, maxBytes);
  if (body === undefined) {
    throw new Refused(413, 'A message can have at most 1 MiB.');
  }
  const message = jsonOf(Buffer.from(body).toString());
  if (message === undefined) {
    throw new Refused(400, 'The message is not JSON.');
  }
  return message;
}

function respond(response: ServerResponse, answer: McpResponse | undefined): void {
  if (answer === undefined) {
    response.writeHead(202).end();
    return;
  }
  const { session, ...message } = answer;
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...(session && { 'mcp-session-id': session }) };
  response.writeHead(answer.id === null ? 400 : 200, headers).end(JSON.stringify(message));
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, message } = error instanceof Refused ? error : { status: 500, message: 'The server failed.' };
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const more = status === 401 ? { 'www-authenticate': 'Bearer' } : status === 405 ? { allow: 'POST' } : {};
  // Closes the connection without reading the rest of the request.
  response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...more })
    .end(JSON.stringify(toFailure(null, -32000, message)));
}

/** Compares in constant time, so that the duration reveals nothing about the token. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Maximum length of a socket path that all systems support, in bytes. */
const maxPathBytes = 103;

/**
 * Creates a location for a server that other programs can't guess. The location is the path of a socket, or of a named pipe on Windows. If
 * the system has file permissions, other users can't access it. `remove` deletes its files. Throws if no folder can be created for it.
 */
export function createSocketLocation(platform: NodeJS.Platform = process.platform, temporary: string = tmpdir()) {
  const name = randomBytes(9).toString('base64url');
  if (platform === 'win32') {
    return { path: `\\\\.\\pipe\\managed-agents-${name}`, remove: () => undefined };
  }
  const prefix = (folder: string) => path.join(folder, 'mcp-');
  // `mkdtemp` appends six letters, and creates a folder that only this user can access.
  const isShort = Buffer.byteLength(`${prefix(temporary)}xxxxxx/${name}`) <= maxPathBytes;
  const folder = mkdtempSync(prefix(isShort ? temporary : '/tmp'));
  return { path: path.join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
