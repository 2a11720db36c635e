import * as vscode from 'vscode';
import { runCommand } from '../../common/commands';
import type { AgentReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { loadLinkCopying } from '../links';
import { deploymentsOfAgent, describeUses } from '../resources/kinds';
import { performAct } from '../resources/lists';
import { draftIdOf } from './agentDrafts';
import { type AgentFlow, agentOf, listingOf, placeOf, toReference } from './agentFlow';
import { archiveAct } from './agentKind';
import { agentName } from './agentPresentation';

/** Opens an agent as a document to edit, or one of its versions to read. */
export async function openAgent(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  const place = await placeOf(flow, target, vscode.l10n.t('Open which agent?'));
  if (place.kind === 'new') {
    await flow.files.open(place, flow.drafts.find(place.draftId)?.name ?? '');
    return;
  }
  const { connection, agentId } = place;
  const listed = connection === flow.store.list.scope ? flow.store.list.find(agentId) : undefined;
  const agent = listed ?? (await flow.service.latest({ connection, agentId }));
  // What the user asked for as a version is the agent itself while it is the latest.
  const isLatest = place.kind === 'version' && place.version === agent.version;
  await flow.files.open(isLatest ? { kind: 'agent', connection, agentId } : place, agentName(agent), { preview: place.kind === 'version' });
}

/** Opens the system prompt of an agent, or of one of its versions, as a document of its own. */
export async function editPrompt(flow: AgentFlow, target: AgentReference | vscode.Uri | undefined): Promise<void> {
  const place = await placeOf(flow, target, vscode.l10n.t('Open the prompt of which agent?'));
  const draft = place.kind === 'new' ? flow.drafts.find(place.draftId) : flow.drafts.find(draftIdOf(place.connection, place.agentId));
  const listed = place.kind === 'new' ? undefined : flow.store.list.find(place.agentId);
  const name = draft?.name ?? (listed === undefined ? '' : agentName(listed));
  await flow.prompts.open(target instanceof vscode.Uri ? target : flow.files.uriOf(place, name));
}

/** Archives an agent, after asking. */
export async function archiveAgent(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  flow.service.demand('userToChange');
  const agent = await agentOf(flow, target, archiveAct.question(vscode.l10n.t), archiveAct.ability);
  const reached = await flow.service.reach(agent.connection, 'userToChange');
  const listing = { ...listingOf(flow, agent.connection), refresh: flow.refresh };
  const find = () => deploymentsOfAgent(reached.client, agent.agentId, new AbortController().signal);
  await performAct(archiveAct, listing, reached, toReference(agent), () => describeUses(find, flow.presentation()));
}

/** Puts the id of an agent on the clipboard. */
export async function copyAgentId(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  const { agentId } = await agentOf(flow, target, vscode.l10n.t('Copy the ID of which agent?'));
  await vscode.env.clipboard.writeText(agentId);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', toLabel(agentId, 80)), 3000);
}

/** Puts a link to an agent, or to one of its versions, on the clipboard. */
export async function copyAgentLink(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  const { connection, agentId: id, version } = await agentOf(flow, target, vscode.l10n.t('Copy a link to which agent?'));
  const link = { kind: 'agent', id, ...(version !== undefined && { version }) } as const;
  await (await loadLinkCopying()).copyLinks(flow.connections, connection, [link]);
}

/** Lets the Sessions view show the sessions of one agent. */
export async function showSessions(flow: AgentFlow, target: AgentReference | undefined): Promise<void> {
  const { connection, agentId } = await agentOf(flow, target, vscode.l10n.t('Show the sessions of which agent?'));
  const agent = flow.store.list.find(agentId) ?? (await flow.service.latest({ connection, agentId }));
  await vscode.commands.executeCommand('managedAgents.sessions.focus');
  await runCommand('managedAgents.sessions.filter', { agent: { id: agentId, name: agentName(agent) } });
}
