import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { showInformation } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { AgentReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { refuseUntrusted } from '../connection';
import { closeDiffs, closeTabsOf, confirmBeside, isConflict, listNames, saveOpenDocuments, showDiff } from '../resources/documents';
import { type AgentDraft, draftIdOf } from './agentDrafts';
import { type AgentFlow, placeOf } from './agentFlow';
import { toAgentPatch } from './agentPatch';
import { agentName } from './agentPresentation';
import { type AgentDefinition, parseDefinition } from './agentText';
import { type AgentPlace, toAgentUri } from './agentUri';
import { mergeDraft } from './mergeDraft';

/**
 * Publishes the draft of an agent: shows what changes against the service's latest version, asks, and sends the version the draft
 * was begun from. When somebody published meanwhile, both changes are brought together first. Whatever fails, the draft stays.
 */
export async function publishAgent(flow: AgentFlow, target: AgentReference | vscode.Uri | undefined): Promise<void> {
  refuseUntrusted('change');
  await flow.drafts.load();
  const place = await placeOf(flow, target, vscode.l10n.t('Publish the draft of which agent?'), 'hasDraft');
  await saveOpenDocuments(toAgentUri(place, ''));
  if (place.kind === 'new') {
    await publishNew(flow, place);
    return;
  }
  const draft = flow.drafts.find(draftIdOf(place.connection, place.agentId));
  if (draft?.base === undefined) {
    throw new Error(vscode.l10n.t('There is nothing to publish: this agent has no draft. Open it, change it and save it first.'));
  }
  await publishDraft(flow, { connection: place.connection, agentId: place.agentId }, draft);
}

async function publishDraft(flow: AgentFlow, reference: AgentReference, begun: AgentDraft): Promise<void> {
  let draft = begun;
  for (;;) {
    const latest = await flow.service.latest(reference);
    flow.store.put(reference.connection, latest);
    draft = await upToDate(flow, reference, draft, latest);
    const definition = read(draft.text);
    const before = read(draft.base?.text ?? '{}');
    const version = draft.base?.version ?? 0;
    const { body, changed } = toAgentPatch(before, definition, version);
    if (changed.length === 0) {
      await flow.drafts.remove(draft.id);
      flow.files.touchAgent(reference.connection, reference.agentId);
      void showInformation(vscode.l10n.t('Nothing to publish: the draft says the same as version {0}.', version));
      return;
    }
    const name = agentName(latest);
    await showDiff(
      toAgentUri({ kind: 'version', ...reference, version }, name),
      flow.files.uriOf({ kind: 'agent', ...reference }, draft.name),
      vscode.l10n.t('{0}: version {1} ↔ your draft', name, version),
    );
    const { connection, client } = await flow.service.reach(reference.connection, 'userToChange');
    const confirmed = await confirmBeside(
      vscode.l10n.t('Publish {0} as version {1}?', name, version + 1),
      vscode.l10n.t('Publish Version {0}', version + 1),
      vscode.l10n.t('Changes {0} on {1}. Running sessions keep the version they began with.', listNames(changed), connection.name),
      vscode.l10n.t('Keep Editing'),
    );
    if (!confirmed) {
      throw new CancelledError();
    }
    try {
      const { data } = await client.agents.update(reference.agentId, body);
      await published(flow, reference.connection, draft, data);
      return;
    } catch (error) {
      if (!isConflict(error)) {
        throw error;
      }
      // Somebody was quicker: once more, from their version on.
    }
  }
}

/** The draft as it stands on the latest version: where that moved on, both changes are brought together. */
async function upToDate(flow: AgentFlow, reference: AgentReference, draft: AgentDraft, latest: Agent): Promise<AgentDraft> {
  if (latest.version === draft.base?.version || typeof latest.version !== 'number') {
    return draft;
  }
  return mergeDraft(flow, reference, draft, latest);
}

async function publishNew(flow: AgentFlow, place: AgentPlace & { kind: 'new' }): Promise<void> {
  const draft = flow.drafts.find(place.draftId);
  if (draft === undefined) {
    throw new Error(vscode.l10n.t('This draft is no longer there. It may have been published or discarded in another window.'));
  }
  const definition = read(draft.text);
  const { connection, client } = await flow.service.reach(place.connection, 'userToChange');
  const name = toLabel(String(definition.name), 80);
  const confirmed = await confirmBeside(
    vscode.l10n.t('Create the agent {0} on {1}?', name, connection.name),
    vscode.l10n.t('Create Agent'),
    vscode.l10n.t('It becomes version 1. An agent can be archived, but not deleted.'),
    vscode.l10n.t('Keep Editing'),
  );
  if (!confirmed) {
    throw new CancelledError();
  }
  const { data } = await client.agents.create(definition);
  await closeTabsOf(toAgentUri(place, draft.name));
  await flow.drafts.remove(draft.id);
  await created(flow, place.connection, data);
}

/** Shows an agent that was just made. */
export async function created(flow: AgentFlow, connection: string, agent: Agent): Promise<void> {
  flow.store.put(connection, agent);
  await flow.files.open({ kind: 'agent', connection, agentId: agent.id }, agentName(agent));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Created {0}', withoutIcons(agentName(agent))), 5000);
}

async function published(flow: AgentFlow, connection: string, draft: AgentDraft, agent: Agent): Promise<void> {
  await flow.drafts.remove(draft.id);
  flow.files.seeAgent(connection, agent);
  flow.files.touchAgent(connection, agent.id);
  flow.store.put(connection, agent);
  await closeDiffs(toAgentUri({ kind: 'agent', connection, agentId: agent.id }, ''));
  await flow.files.open({ kind: 'agent', connection, agentId: agent.id }, draft.name);
  vscode.window.setStatusBarMessage(
    vscode.l10n.t('Published version {0} of {1}', agent.version ?? '?', withoutIcons(agentName(agent))),
    5000,
  );
}

/** The definition in a document. Throws what a person can mend. */
export function read(text: string): AgentDefinition {
  const parsed = parseDefinition(text);
  if ('definition' in parsed) {
    return parsed.definition;
  }
  switch (parsed.problem) {
    case 'notJson':
      throw new Error(vscode.l10n.t('The document is not valid JSON. Mend what the Problems view shows and publish again.'));
    case 'notAnObject':
      throw new Error(vscode.l10n.t('The document must be one JSON object that defines an agent.'));
    case 'missing':
      throw new Error(vscode.l10n.t('An agent needs a "{0}". Add it and publish again.', parsed.field));
  }
}
