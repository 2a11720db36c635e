import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { views } from '../../contributions';
import type { AgentsView } from './agentsView';

/** Commands on agents; what they do is loaded when it is first asked for. */
export function registerAgentCommands(commands: CommandRegistry, agents: () => Promise<AgentsView>): vscode.Disposable {
  const flow = async () => (await agents()).flow;
  const acts = () => import('./agentActs');
  const making = () => import('./createAgent');
  const versions = () => import('./agentVersions');
  const inView = (work: (view: AgentsView) => Promise<void>) =>
    vscode.window.withProgress({ location: { viewId: views.agents } }, async () => work(await agents()));
  return combine(
    commands.register('managedAgents.agents.refresh', () => inView(view => view.flow.refresh())),
    commands.register('managedAgents.agents.loadMore', target => inView(view => view.loadMore(target?.agentId))),
    commands.register('managedAgents.agents.showArchived', () => inView(view => view.showArchived(true))),
    commands.register('managedAgents.agents.hideArchived', () => inView(view => view.showArchived(false))),
    commands.register('managedAgents.agent.open', async target => (await acts()).openAgent(await flow(), target)),
    commands.register('managedAgents.agent.create', async () => (await making()).createAgent(await flow())),
    commands.register('managedAgents.agent.createFromFile', async file => (await making()).createAgentFromFile(await flow(), file)),
    commands.register('managedAgents.agent.publish', async target => (await import('./publishAgent')).publishAgent(await flow(), target)),
    commands.register('managedAgents.agent.discardDraft', async target => (await making()).discardDraft(await flow(), target)),
    commands.register('managedAgents.agent.compare', async (target, selected) =>
      (await versions()).compareVersions(await flow(), target, selected),
    ),
    commands.register('managedAgents.agent.restore', async target => (await versions()).restoreVersion(await flow(), target)),
    commands.register('managedAgents.agent.archive', async target => (await acts()).archiveAgent(await flow(), target)),
    commands.register('managedAgents.agent.copyId', async target => (await acts()).copyAgentId(await flow(), target)),
    commands.register('managedAgents.agent.showSessions', async target => (await acts()).showSessions(await flow(), target)),
  );
}
