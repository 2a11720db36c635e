import * as vscode from 'vscode';
import { type AreaHandlers, runCommand } from '../../../common/commands';
import { copyIds } from '../../../common/copyIds';
import type { Reference } from '../../../contributions';
import { refuseUntrusted } from '../../connection';
import { loadLinkCopying } from '../../links';
import { saveOpenDocuments } from '../documents/publishSteps';
import { toResourceUri } from '../documents/resourceUri';
import { createFromFile, createResource, discardDraft, draftLocation, publishResource } from '../draftActs';
import { agents, toAgentReference } from '../kinds/agents';
import { openResource, runAct } from '../resourceActs';
import { nameOf, type ResourceFlow, toLocation } from '../resourceFlow';
import type { AgentsView } from './agentsView';
import { type AgentTarget, agentOf, chosen, compareVersions, restoreVersion, toTarget } from './agentVersions';
import { toPromptUri } from './prompt/promptFiles';

/** Creates the handlers of the commands that only agents have. */
export function createAgentCommands(view: AgentsView): AreaHandlers<'agent' | 'agents'> {
  const { flow } = view;
  return {
    'managedAgents.agents.loadMore': group => view.loadMore(group),
    'managedAgents.agent.create': () => createResource(flow, agents.kind),
    'managedAgents.agent.editPrompt': target => editPrompt(view, target),
    'managedAgents.agent.restore': target => restoreVersion(flow, target),
    'managedAgents.agent.showSessions': target => showSessions(flow, target),
  };
}

/** Creates the agent handlers of the commands that apply to every kind. */
export function createAgentKindHandlers(view: AgentsView) {
  const { flow } = view;
  return {
    open: async (target?: AgentTarget) => openResource(flow, await chosen(flow, target)),
    copyId: async (target?: AgentTarget, selected: readonly AgentTarget[] = []) =>
      copyIds((await allChosen(flow, target, selected)).map(reference => toAgentReference(reference).agentId)),
    copyLink: async (target?: AgentTarget, selected: readonly AgentTarget[] = []) => {
      const references = (await allChosen(flow, target, selected)).map(toAgentReference);
      const links = references.map(
        ({ agentId: id, version }) => ({ kind: 'agent', id, ...(version !== undefined && { version }) }) as const,
      );
      await (await loadLinkCopying()).copyLinks(flow.service.connections, references[0]?.connection ?? '', links);
    },
    publish: (target?: AgentTarget) => publishAgent(view, target),
    compare: (target?: AgentTarget, selected?: readonly AgentTarget[]) => compareVersions(flow, target, selected),
    discardDraft: (target?: AgentTarget) => discardDraft(flow, toTarget(target) ?? agents.kind),
    archive: async (target?: AgentTarget) => {
      refuseUntrusted('change');
      await runAct(flow, 'archive', agentOf(await chosen(flow, target, 'archivable')));
    },
    create: () => createResource(flow, agents.kind),
    createFromFile: (target?: AgentTarget) => createFromFile(flow, agents.kind, target instanceof vscode.Uri ? target : undefined),
    refresh: () => view.refresh(),
    toggleArchived: () => view.toggleArchived(),
  };
}

function allChosen(flow: ResourceFlow, target: AgentTarget | undefined, selected: readonly AgentTarget[]): Promise<Reference[]> {
  return Promise.all((selected.length > 1 ? selected : [target]).map(one => chosen(flow, one)));
}

async function editPrompt({ flow, prompts }: AgentsView, given: AgentTarget | undefined): Promise<void> {
  const target = toTarget(given);
  const location = toLocation(target) ?? { view: 'edit', reference: await chosen(flow, given) };
  const name = location.view === 'new' ? '' : nameOf(flow, agentOf(location.reference));
  await prompts.open(target instanceof vscode.Uri ? target : flow.files.uriOf(location, name));
}

/** Publishes the draft of an agent, with unsaved edits of its open prompt. */
async function publishAgent({ flow, prompts }: AgentsView, target: AgentTarget | undefined): Promise<void> {
  refuseUntrusted('change');
  const draft = toResourceUri(await draftLocation(flow, toTarget(target) ?? agents.kind), '');
  await saveOpenDocuments(toPromptUri(draft));
  const reference = await publishResource(flow, draft);
  await prompts.reopen(draft, flow.files.uriOf({ view: 'edit', reference }, nameOf(flow, reference)));
}

async function showSessions(flow: ResourceFlow, target: AgentTarget | undefined): Promise<void> {
  const agent = agentOf(await chosen(flow, target));
  await vscode.commands.executeCommand('managedAgents.sessions.focus');
  await runCommand('managedAgents.sessions.filter', { agent: { id: agent.id, name: nameOf(flow, agent) } });
}
