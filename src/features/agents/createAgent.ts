import * as vscode from 'vscode';
import { connectionToCreate } from '../connection';
import { askNewDraft, createFrom, discard, readSource } from '../resources/documents';
import { draftIdOf } from './agentDrafts';
import { type AgentFlow, type AgentTarget, agentLocationOf } from './agentFlow';
import { agentKind } from './agentKind';
import { created } from './publishAgent';

/** Creates a draft of an agent from a template, for Publish to create the agent, or creates the agent from a workspace file. */
export async function createAgent(flow: AgentFlow): Promise<void> {
  const connection = await connectionToCreate(flow.connections, 'agents', vscode.l10n.t('Agents'));
  const begun = await askNewDraft(flow.service, agentKind, connection);
  if (begun === undefined) {
    await createAgentFromFile(flow, undefined);
    return;
  }
  await flow.drafts.save(begun);
  await flow.files.open({ kind: 'new', connection: connection.name, draftId: begun.id }, begun.name);
}

/** Creates an agent from a file, after asking. The file stays unchanged. */
export async function createAgentFromFile(flow: AgentFlow, file: vscode.Uri | undefined): Promise<void> {
  const { name } = await connectionToCreate(flow.connections, 'agents', vscode.l10n.t('Agents'));
  const source = await readSource(agentKind, file);
  await created(flow, name, await createFrom(flow.service, agentKind, name, { ...source, stay: vscode.l10n.t('Leave It') }));
}

/** Discards unpublished edits, after asking. */
export async function discardDraft(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  await flow.drafts.load();
  const place = await agentLocationOf(flow, target, 'hasDraft');
  await discard(flow.drafts, place.kind === 'new' ? place.draftId : draftIdOf(place.connection, place.agentId), {
    isNew: place.kind === 'new',
    uriOf: name => flow.files.uriOf(place.kind === 'version' ? { ...place, kind: 'agent' } : place, name),
    touch: id => flow.files.touch(id),
  });
}
