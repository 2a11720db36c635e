import * as vscode from 'vscode';
import { McpServer, type McpServerOptions, mcpPath } from './mcpServer';

/** Serves the tools to VS Code's own MCP client at a socket. Starts on the first request, each time with a new token. */
export class McpEditorDoor implements vscode.Disposable {
  private server: McpServer | undefined;

  constructor(private readonly options: McpServerOptions) {}

  /** Returns the definition with the server's address and token once the server runs. Rejects if it can't listen. */
  async resolve({ label, version }: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition> {
    this.server ??= new McpServer(this.options, 'socket');
    const { server } = this;
    try {
      await server.started;
    } catch (error) {
      if (this.server === server) {
        this.close();
      }
      throw error;
    }
    // VS Code's log masks only this header.
    const headers = { Authorization: `Bearer ${server.token}` };
    return new vscode.McpHttpServerDefinition(label, toSocketUri(server.path), headers, version);
  }

  /** Stops the server and removes its socket. */
  close(): void {
    this.server?.stop();
    this.server = undefined;
  }

  dispose(): void {
    this.close();
  }
}

/** Returns the URI with which VS Code reaches a server at a socket: the socket's path, with the server's path as the fragment. */
function toSocketUri(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: path.startsWith('/') ? 'unix' : 'pipe', path, fragment: mcpPath });
}
