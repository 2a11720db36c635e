import * as vscode from 'vscode';
import { connectionToCreate } from '../connection';
import { beginNew, createFrom, discard, readSource } from '../resources/documents';
import { draftIdOf } from './agentDrafts';
import { type AgentFlow, type AgentTarget, placeOf } from './agentFlow';
import { agentKind } from './agentKind';
import { created } from './publishAgent';

/** Begins a new agent from a template, as a draft that Publish creates, or from a file of the workspace. */
export async function createAgent(flow: AgentFlow): Promise<void> {
  const connection = await connectionToCreate(flow.connections, 'agents', vscode.l10n.t('Agents'));
  const begun = await beginNew(flow.service, agentKind, connection);
  if (begun === undefined) {
    await createAgentFromFile(flow, undefined);
    return;
  }
  await flow.drafts.save(begun);
  await flow.files.open({ kind: 'new', connection: connection.name, draftId: begun.id }, begun.name);
}

/** Creates an agent from a file, after asking; the file stays as it is. */
export async function createAgentFromFile(flow: AgentFlow, file: vscode.Uri | undefined): Promise<void> {
  const { name } = await connectionToCreate(flow.connections, 'agents', vscode.l10n.t('Agents'));
  const source = await readSource(agentKind, file);
  await created(flow, name, await createFrom(flow.service, agentKind, name, { ...source, stay: vscode.l10n.t('Leave It') }));
}

/** Throws away what was not published, after asking. */
export async function discardDraft(flow: AgentFlow, target: AgentTarget | undefined): Promise<void> {
  await flow.drafts.load();
  const place = await placeOf(flow, target, 'hasDraft');
  await discard(flow.drafts, place.kind === 'new' ? place.draftId : draftIdOf(place.connection, place.agentId), {
    isNew: place.kind === 'new',
    uriOf: name => flow.files.uriOf(place.kind === 'version' ? { ...place, kind: 'agent' } : place, name),
    touch: id => flow.files.touch(id),
  });
}
