import * as vscode from 'vscode';
import type { Draft } from './definitions';
import { askNewDraft, readSource } from './documents/askNewDraft';
import { createFrom } from './documents/publishDraft';
import { created } from './publishResource';
import { connectionToCreateOn, kindNamed, type ResourceFlow } from './resourceFlow';

/** Creates a draft from a template, for Publish to create the resource, or creates the resource from a workspace file. */
export async function createResource(flow: ResourceFlow, name: string): Promise<void> {
  const kind = kindNamed(name);
  const connection = await connectionToCreateOn(flow, kind);
  const begun = await askNewDraft(flow.service, kind, connection);
  if (begun === undefined) {
    await createFromFile(flow, name, undefined);
    return;
  }
  await beginDraft(flow, name, begun);
}

/** Saves a draft of a resource that the service does not have yet, and opens its document. */
export async function beginDraft(flow: ResourceFlow, kind: string, draft: Draft): Promise<void> {
  await flow.drafts.save({ ...draft, kind });
  await flow.files.open({ view: 'new', connection: draft.connection, kind, draftId: draft.id }, draft.name);
}

/** Creates a resource from a file, after asking. The file stays unchanged. */
export async function createFromFile(flow: ResourceFlow, name: string, file: vscode.Uri | undefined): Promise<void> {
  const kind = kindNamed(name);
  const { name: connection } = await connectionToCreateOn(flow, kind);
  const source = await readSource(kind, file);
  const value = await createFrom(flow.service, kind, connection, { ...source, stay: vscode.l10n.t('Leave It') });
  await created(flow, { connection, kind: name, id: value.id }, value);
}
