import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { Lazy } from '../../../common/lazy';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { readToolLevel } from '../readToolLevel';
import type { McpEditorDoor } from './mcpEditorDoor';

/**
 * Offers the tools to VS Code as a server of the Model Context Protocol, while the person wants them that way: the tools of the manifest
 * are hidden then, so that no tool is there twice. Nothing is loaded or listens before VS Code starts the server.
 */
export function offerToEditor(version: string, door: Lazy<McpEditorDoor>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const isOffered = () => vscode.workspace.isTrusted && readSetting('managedAgents.ai.through') === 'mcp' && readToolLevel() !== 'off';
  const follow = () => {
    if (!isOffered()) {
      door.current?.close();
    }
    changed.fire();
  };
  const provider: vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => (isOffered() ? [defineServer(version)] : []),
    resolveMcpServerDefinition: async server => {
      const opened = await door.get();
      return isOffered() ? await opened.resolve(server) : undefined;
    },
  };
  return combine(
    changed,
    onDidChangeSettings(['managedAgents.ai.through', 'managedAgents.ai.tools'], follow),
    vscode.workspace.onDidGrantWorkspaceTrust(follow),
    vscode.lm.registerMcpServerDefinitionProvider('managed-agents.mcp', provider),
  );
}

/** Nobody listens at its address: that is known when the server runs. Another version tells VS Code that there are other tools. */
function defineServer(version: string): vscode.McpHttpServerDefinition {
  const nowhere = vscode.Uri.from({ scheme: 'unix', path: '/managed-agents' });
  return new vscode.McpHttpServerDefinition('Managed Agents', nowhere, {}, `${version}-${readToolLevel()}`);
}
