import * as vscode from 'vscode';
import type { AreaHandlers } from '../../common/commands';
import { views } from '../../contributions';
import { archiveAgent, copyAgentIds, copyAgentLinks, editPrompt, openAgent, showSessions } from './agentActs';
import type { AgentTarget } from './agentFlow';
import type { AgentsView } from './agentsView';

/** Creates the handlers of the commands that only agents have. */
export function createAgentCommands({ flow, loadMore }: AgentsView): AreaHandlers<'agent' | 'agents'> {
  return {
    'managedAgents.agents.loadMore': target => inView(() => loadMore(target?.agentId)),
    'managedAgents.agent.create': async () => (await import('./createAgent')).createAgent(flow),
    'managedAgents.agent.editPrompt': target => editPrompt(flow, target),
    'managedAgents.agent.restore': async target => (await import('./agentVersions')).restoreVersion(flow, target),
    'managedAgents.agent.showSessions': target => showSessions(flow, target),
  };
}

/** Creates the agent handlers of the commands that apply to every kind. */
export function createAgentKindHandlers({ flow, toggleArchived }: AgentsView) {
  const creating = () => import('./createAgent');
  return {
    open: (target?: AgentTarget) => openAgent(flow, target),
    copyId: (target?: AgentTarget, selected?: readonly AgentTarget[]) => copyAgentIds(flow, target, selected),
    copyLink: (target?: AgentTarget, selected?: readonly AgentTarget[]) => copyAgentLinks(flow, target, selected),
    publish: async (target?: AgentTarget) => (await import('./publishAgent')).publishAgent(flow, target),
    compare: async (target?: AgentTarget, selected?: readonly AgentTarget[]) =>
      (await import('./agentVersions')).compareVersions(flow, target, selected),
    discardDraft: async (target?: AgentTarget) => (await creating()).discardDraft(flow, target),
    archive: (target?: AgentTarget) => archiveAgent(flow, target),
    create: async () => (await creating()).createAgent(flow),
    createFromFile: async (target?: AgentTarget) =>
      (await creating()).createAgentFromFile(flow, target instanceof vscode.Uri ? target : undefined),
    refresh: () => inView(() => flow.refresh()),
    toggleArchived: () => inView(toggleArchived),
  };
}

function inView(work: () => Promise<void>): Thenable<void> {
  return vscode.window.withProgress({ location: { viewId: views.agents } }, work);
}
