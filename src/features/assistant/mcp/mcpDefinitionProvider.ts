import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { readToolLevel } from '../readToolLevel';
import type { McpServer } from './mcpServer';

/**
 * Offers the tools to VS Code as an MCP server if the setting is on. The tools of the manifest are then hidden, so that none is listed
 * twice. Loads and listens only once VS Code starts the server, each time at a new socket with a new token.
 */
export class McpDefinitionProvider implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  private server: Lazy<McpServer> | undefined;
  private readonly subscriptions: vscode.Disposable;

  /** `serve` creates a server at a socket. */
  constructor(
    private readonly version: string,
    private readonly serve: () => Promise<McpServer>,
  ) {
    const follow = () => this.follow();
    this.subscriptions = combine(
      onDidChangeSettings(['managedAgents.ai.through', 'managedAgents.ai.tools'], follow),
      vscode.workspace.onDidGrantWorkspaceTrust(follow),
    );
  }

  provideMcpServerDefinitions(): vscode.McpHttpServerDefinition[] {
    if (!isOffered()) {
      return [];
    }
    // Placeholder until the server runs and has an address.
    const nowhere = vscode.Uri.from({ scheme: 'unix', path: '/managed-agents' });
    // A changed version makes VS Code list the server's tools again.
    return [new vscode.McpHttpServerDefinition('Managed Agents', nowhere, {}, `${this.version}-${readToolLevel()}`)];
  }

  /** Returns the definition with the server's address and token once the server runs. Rejects if it can't listen. */
  async resolveMcpServerDefinition(definition: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition | undefined> {
    if (!isOffered()) {
      return undefined;
    }
    this.server ??= new Lazy(() => this.start());
    const server = await this.server.get();
    if (!isOffered()) {
      return undefined;
    }
    // VS Code's log masks only this header.
    const headers = { Authorization: `Bearer ${server.token}` };
    return new vscode.McpHttpServerDefinition(definition.label, toSocketUri(server), headers, definition.version);
  }

  dispose(): void {
    this.close();
    this.subscriptions.dispose();
    this.changed.dispose();
  }

  private async start(): Promise<McpServer> {
    const server = await this.serve();
    try {
      await server.started;
      return server;
    } catch (error) {
      server.dispose();
      throw error;
    }
  }

  private close(): void {
    this.server?.dispose();
    this.server = undefined;
  }

  private follow(): void {
    if (!isOffered()) {
      this.close();
    }
    this.changed.fire();
  }
}

/** Returns the URI with which VS Code reaches a server at a socket: the socket's path, with the server's path as the fragment. */
function toSocketUri({ path, url }: McpServer): vscode.Uri {
  return vscode.Uri.from({ scheme: path.startsWith('/') ? 'unix' : 'pipe', path, fragment: new URL(url).pathname });
}

function isOffered(): boolean {
  return vscode.workspace.isTrusted && readSetting('managedAgents.ai.through') === 'mcp' && readToolLevel() !== 'off';
}
