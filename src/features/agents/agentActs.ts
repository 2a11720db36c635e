import * as vscode from 'vscode';
import { runCommand } from '../../common/commands';
import { copyIds } from '../../common/copyIds';
import type { AgentReference } from '../../contributions';
import { loadLinkCopying } from '../links';
import { deploymentsOfAgent, describeUses } from '../resources/kinds';
import { performAct } from '../resources/lists';
import { draftIdOf } from './agentDrafts';
import { type AgentFlow, type AgentTarget, agentOf, listingOf, agentLocationOf, toReference } from './agentFlow';
import { agentName } from './agentPresentation';

/** Opens an agent for editing, or one of its versions for reading. */
export async function openAgent(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  const place = await agentLocationOf(flow, target);
  if (place.kind === 'new') {
    await flow.files.open(place, flow.drafts.find(place.draftId)?.name ?? '');
    return;
  }
  const { connection, agentId } = place;
  const listed = connection === flow.store.list.scope ? flow.store.list.find(agentId) : undefined;
  const agent = listed ?? (await flow.service.latest({ connection, agentId }));
  // The latest version is opened as the agent itself, so that it can be edited.
  const isLatest = place.kind === 'version' && place.version === agent.version;
  await flow.files.open(isLatest ? { kind: 'agent', connection, agentId } : place, agentName(agent), { preview: place.kind === 'version' });
}

/** Opens the system prompt of an agent, or of one of its versions, in its own document. */
export async function editPrompt(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  const place = await agentLocationOf(flow, target);
  const draft = place.kind === 'new' ? flow.drafts.find(place.draftId) : flow.drafts.find(draftIdOf(place.connection, place.agentId));
  const listed = place.kind === 'new' ? undefined : flow.store.list.find(place.agentId);
  const name = draft?.name ?? (listed === undefined ? '' : agentName(listed));
  await flow.prompts.open(target instanceof vscode.Uri ? target : flow.files.uriOf(place, name));
}

/** Archives an agent, after asking. */
export async function archiveAgent(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  flow.service.demand('userToChange');
  const agent = await agentOf(flow, target, 'archivable');
  const reached = await flow.service.reach(agent.connection, 'userToChange');
  const listing = { ...listingOf(flow, agent.connection), refresh: flow.refresh };
  const find = () => deploymentsOfAgent(reached.client, agent.agentId, new AbortController().signal);
  await performAct('archive', listing, reached, toReference(agent), () => describeUses(find, flow.presentation()));
}

/** Copies the IDs of agents to the clipboard. */
export async function copyAgentIds(flow: AgentFlow, target: AgentTarget | undefined, selected: readonly AgentTarget[] = []): Promise<void> {
  const agents = await agentsOf(flow, target, selected);
  await copyIds(agents.map(({ agentId }) => agentId));
}

/** Copies links to agents, or to versions of them, to the clipboard. */
export async function copyAgentLinks(
  flow: AgentFlow,
  target: AgentTarget | undefined,
  selected: readonly AgentTarget[] = [],
): Promise<void> {
  const agents = await agentsOf(flow, target, selected);
  const links = agents.map(({ agentId: id, version }) => ({ kind: 'agent', id, ...(version !== undefined && { version }) }) as const);
  await (await loadLinkCopying()).copyLinks(flow.connections, agents[0]?.connection ?? '', links);
}

/** Returns the agents of all selected rows, else the one that a command is about. */
async function agentsOf(
  flow: AgentFlow,
  target: AgentTarget | undefined,
  selected: readonly AgentTarget[],
): Promise<readonly AgentReference[]> {
  const all: AgentReference[] = [];
  for (const one of selected.length > 1 ? selected : [target]) {
    all.push(await agentOf(flow, one));
  }
  return all;
}

/** Shows the sessions of one agent in the Sessions view. */
export async function showSessions(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  const { connection, agentId } = await agentOf(flow, target);
  const agent = flow.store.list.find(agentId) ?? (await flow.service.latest({ connection, agentId }));
  await vscode.commands.executeCommand('managedAgents.sessions.focus');
  await runCommand('managedAgents.sessions.filter', { agent: { id: agentId, name: agentName(agent) } });
}
