import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { AssistantServices } from '../assistantServices';
import { assistantTools } from '../tools';
import { McpServer, mcpPath } from './mcpServer';
import { makeSocketPlace, type SocketPlace } from './socketPlace';

export interface McpEditorDoorOptions {
  readonly services: AssistantServices;
  readonly version: string;
}

interface Opened {
  readonly server: McpServer;
  readonly place: SocketPlace;
  readonly token: string;
  /** Settles when clients can come. */
  readonly started: Promise<void>;
}

/** Where VS Code's own client of the protocol comes in, from the first time that it wants to: at a socket, with a secret of that opening. */
export class McpEditorDoor implements vscode.Disposable {
  private opened: Opened | undefined;

  constructor(private readonly options: McpEditorDoorOptions) {}

  /** The same server with the address and the secret by which it is reached, which runs from then on. Rejects when it cannot listen. */
  async resolve({ label, version }: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition> {
    this.opened ??= this.open();
    const opened = this.opened;
    try {
      await opened.started;
    } catch (error) {
      if (this.opened === opened) {
        this.close();
      }
      throw error;
    }
    // VS Code's log masks this header alone.
    const headers = { Authorization: `Bearer ${opened.token}` };
    return new vscode.McpHttpServerDefinition(label, toSocketUri(opened.place.path), headers, version);
  }

  /** Ends what runs, and leaves nothing behind. */
  close(): void {
    this.opened?.server.stop();
    this.opened?.place.remove();
    this.opened = undefined;
  }

  dispose(): void {
    this.close();
  }

  private open(): Opened {
    const place = makeSocketPlace();
    const token = randomBytes(32).toString('base64url');
    const server = new McpServer({ tools: assistantTools, ...this.options, token, at: place.path });
    return { server, place, token, started: server.start() };
  }
}

/** As VS Code takes the address of a server at a socket: its path, and as the fragment what is asked for there. */
function toSocketUri(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: path.startsWith('/') ? 'unix' : 'pipe', path, fragment: mcpPath });
}
