import { randomBytes } from 'node:crypto';
import type { AssistantServices } from '../assistantServices';
import { assistantTools } from '../tools';
import { McpServer } from './mcpServer';
import { createSocketLocation, type SocketLocation } from './socketLocation';

export interface McpOpeningOptions {
  readonly services: AssistantServices;
  readonly version: string;
}

/** Running MCP server with a token of its own. */
export class McpOpening {
  readonly token = randomBytes(32).toString('base64url');
  /** Resolves when clients can connect. Rejects if the server can't listen. */
  readonly started: Promise<void>;
  private readonly location: SocketLocation | undefined;
  private readonly server: McpServer;

  constructor({ services, version }: McpOpeningOptions, at: 'socket' | 'port') {
    this.location = at === 'socket' ? createSocketLocation() : undefined;
    this.server = new McpServer({ tools: assistantTools, services, version, token: this.token, at: this.location?.path ?? 0 });
    this.started = this.server.start();
  }

  /** Path of the socket or named pipe. Empty for a port. */
  get path(): string {
    return this.location?.path ?? '';
  }

  /** URL for clients of a port. */
  get url(): string {
    return this.server.url;
  }

  /** Stops the server and removes its socket. */
  close(): void {
    this.server.stop();
    this.location?.remove();
  }
}
