import * as vscode from 'vscode';
import type { Handlers } from '../../common/commands';
import { views } from '../../contributions';
import { archiveAgent, copyAgentId, copyAgentLink, editPrompt, openAgent, showSessions } from './agentActs';
import type { AgentsView } from './agentsView';

/** What the commands on agents do. */
export function createAgentCommands({ flow, loadMore, showArchived }: AgentsView) {
  const making = () => import('./createAgent');
  const versions = () => import('./agentVersions');
  const inView = (work: () => Promise<void>) => vscode.window.withProgress({ location: { viewId: views.agents } }, work);
  return {
    'managedAgents.agents.refresh': () => inView(() => flow.refresh()),
    'managedAgents.agents.loadMore': target => inView(() => loadMore(target?.agentId)),
    'managedAgents.agents.showArchived': () => inView(() => showArchived(true)),
    'managedAgents.agents.hideArchived': () => inView(() => showArchived(false)),
    'managedAgents.agent.open': target => openAgent(flow, target),
    'managedAgents.agent.editPrompt': target => editPrompt(flow, target),
    'managedAgents.agent.create': async () => (await making()).createAgent(flow),
    'managedAgents.agent.createFromFile': async file => (await making()).createAgentFromFile(flow, file),
    'managedAgents.agent.publish': async target => (await import('./publishAgent')).publishAgent(flow, target),
    'managedAgents.agent.discardDraft': async target => (await making()).discardDraft(flow, target),
    'managedAgents.agent.compare': async (target, selected) => (await versions()).compareVersions(flow, target, selected),
    'managedAgents.agent.restore': async target => (await versions()).restoreVersion(flow, target),
    'managedAgents.agent.archive': target => archiveAgent(flow, target),
    'managedAgents.agent.copyId': target => copyAgentId(flow, target),
    'managedAgents.agent.copyLink': target => copyAgentLink(flow, target),
    'managedAgents.agent.showSessions': target => showSessions(flow, target),
  } satisfies Partial<Handlers>;
}
