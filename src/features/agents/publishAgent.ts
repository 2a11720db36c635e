import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import type { AgentReference } from '../../contributions';
import { type Publishing, publishDraft, publishNew, saveOpenDocuments } from '../resources/documents';
import { type AgentDraft, draftIdOf } from './agentDrafts';
import { type AgentFlow, type AgentTarget, listingOf, agentLocationOf, toReference } from './agentFlow';
import { agentKind } from './agentKind';
import { agentName } from './agentPresentation';
import { toAgentUri } from './agentUri';
import { toPromptUri } from './prompt/promptFiles';

/** Publishes the draft of an agent as its next version, or creates the agent from it. See `publishDraft`. */
export async function publishAgent(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  flow.service.demand('userToChange');
  await flow.drafts.load();
  const place = await agentLocationOf(flow, target, 'hasDraft');
  await saveOpenDocuments(toPromptUri(toAgentUri(place, '')));
  await saveOpenDocuments(toAgentUri(place, ''));
  if (place.kind === 'new') {
    const { connection, value } = await publishNew(flow.service, agentKind, flow.drafts, place.draftId, name => toAgentUri(place, name));
    await created(flow, connection, value);
    await flow.prompts.reopen(toAgentUri(place, ''), { kind: 'agent', connection, agentId: value.id }, agentName(value));
    return;
  }
  const draft = flow.drafts.find(draftIdOf(place.connection, place.agentId));
  if (draft?.base === undefined) {
    throw new NothingToDoError(vscode.l10n.t("There's no draft. Change and save the document first."));
  }
  await publishDraft(publishingOf(flow, { connection: place.connection, agentId: place.agentId }), draft);
}

/** Shows a newly created agent. */
export async function created(flow: AgentFlow, connection: string, agent: Agent): Promise<void> {
  flow.store.list.put(connection, agent);
  await flow.files.open({ kind: 'agent', connection, agentId: agent.id }, agentName(agent));
}

function publishingOf(flow: AgentFlow, agent: AgentReference): Publishing<Agent, AgentDraft> {
  const { files, service, drafts } = flow;
  const place = { kind: 'agent', ...agent } as const;
  return {
    listing: listingOf(flow, agent.connection),
    reference: toReference(agent),
    service,
    drafts,
    uriOf: name => files.uriOf(place, name),
    stateOf: ({ version, text }, name, part) =>
      version === undefined
        ? files.snapshot(`${name} (${part}).agent.json`, text)
        : toAgentUri({ kind: 'version', ...agent, version }, name),
    snapshot: (name, text) => files.snapshot(name, text),
    open: name => files.open(place, name),
    touch: id => files.touch(id),
    see: value => files.seeAgent(agent.connection, value),
  };
}
