import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { Lazy } from '../../../common/lazy';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { readToolLevel } from '../readToolLevel';
import type { McpEditorDoor } from './mcpEditorDoor';

/**
 * Offers the tools to VS Code as an MCP server if the setting says so. The tools of the manifest are hidden then, so that none is listed
 * twice. Loads and listens only once VS Code starts the server.
 */
export class McpDefinitionProvider implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeMcpServerDefinitions = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly version: string,
    private readonly door: Pick<Lazy<McpEditorDoor>, 'get' | 'current'>,
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

  async resolveMcpServerDefinition(server: vscode.McpHttpServerDefinition): Promise<vscode.McpHttpServerDefinition | undefined> {
    const door = await this.door.get();
    return isOffered() ? await door.resolve(server) : undefined;
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.changed.dispose();
  }

  private follow(): void {
    if (!isOffered()) {
      this.door.current?.close();
    }
    this.changed.fire();
  }
}

function isOffered(): boolean {
  return vscode.workspace.isTrusted && readSetting('managedAgents.ai.through') === 'mcp' && readToolLevel() !== 'off';
}
