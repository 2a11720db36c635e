import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { type AgentReference, views } from '../../contributions';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';
import { registerDocumentFileSystem } from '../resources';
import type { AgentsTreeItem } from './agentsTreeDataProvider';
import { registerAgentLanguage } from './language';

export interface AgentsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** The Agents view, agents as documents with versions, and everything one does with an agent. Loaded when it is first looked at. */
export function registerAgents(deps: AgentsDependencies): vscode.Disposable {
  const changed = new vscode.EventEmitter<AgentsTreeItem[] | undefined>();
  const agents = new Lazy(async () => {
    const { createAgentsView } = await import('./agentsView');
    const created = createAgentsView(deps, view);
    created.tree.onDidChangeTreeData(rows => changed.fire(rows));
    return created;
  });
  const view: vscode.TreeView<AgentsTreeItem> = vscode.window.createTreeView<AgentsTreeItem>(views.agents, {
    canSelectMany: true,
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: item => item,
      getChildren: async parent => (await agents.get()).tree.getChildren(parent),
      resolveTreeItem: async (item, element) => (await agents.get()).tree.resolveTreeItem(item, element),
    },
  });
  return combine(
    changed,
    view,
    registerDocumentFileSystem('managed-agents-agent', async () => (await agents.get()).files),
    registerDocumentFileSystem('managed-agents-prompt', async () => (await agents.get()).prompts),
    deps.commands.registerLate(
      [
        'managedAgents.agents.refresh',
        'managedAgents.agents.loadMore',
        'managedAgents.agents.showArchived',
        'managedAgents.agents.hideArchived',
        'managedAgents.agent.open',
        'managedAgents.agent.editPrompt',
        'managedAgents.agent.create',
        'managedAgents.agent.createFromFile',
        'managedAgents.agent.publish',
        'managedAgents.agent.discardDraft',
        'managedAgents.agent.compare',
        'managedAgents.agent.restore',
        'managedAgents.agent.archive',
        'managedAgents.agent.copyId',
        'managedAgents.agent.copyLink',
        'managedAgents.agent.showSessions',
      ],
      async () => (await import('./agentCommands')).createAgentCommands(await agents.get()),
    ),
    registerAgentLanguage(deps),
    agents,
  );
}

/** The agent, or the version of one, that a document shows; undefined for anything else, an agent that was never published among it. */
export async function agentOfDocument(uri: vscode.Uri): Promise<AgentReference | undefined> {
  const { parseAgentUri } = await import('./agentUri');
  const place = parseAgentUri(uri);
  switch (place?.kind) {
    case 'agent':
      return { connection: place.connection, agentId: place.agentId };
    case 'version':
      return { connection: place.connection, agentId: place.agentId, version: place.version };
    default:
      return undefined;
  }
}
