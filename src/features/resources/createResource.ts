import * as vscode from 'vscode';
import type { Draft } from './definitions';
import { beginNew, readSource } from './documents/beginning';
import { createFrom } from './documents/publishDraft';
import { created } from './publishResource';
import { connectionToCreateOn, kindNamed, type ResourceFlow } from './resourceFlow';

/** Begins a new thing from a template, as a draft that Publish creates, or makes it of a file of the workspace. */
export async function createResource(flow: ResourceFlow, name: string): Promise<void> {
  const kind = kindNamed(name);
  const connection = await connectionToCreateOn(flow, kind);
  const begun = await beginNew(flow.service, kind, connection);
  if (begun === undefined) {
    await createFromFile(flow, name, undefined);
    return;
  }
  await beginDraft(flow, name, begun);
}

/** Keeps a draft of something that the service does not have yet, and opens its document. */
export async function beginDraft(flow: ResourceFlow, kind: string, draft: Draft): Promise<void> {
  await flow.drafts.save({ ...draft, kind });
  await flow.files.open({ view: 'new', connection: draft.connection, kind, draftId: draft.id }, draft.name);
}

/** Makes a thing of a file, after asking; the file stays as it is. */
export async function createFromFile(flow: ResourceFlow, name: string, file: vscode.Uri | undefined): Promise<void> {
  const kind = kindNamed(name);
  const { name: connection } = await connectionToCreateOn(flow, kind);
  const source = await readSource(kind, file);
  const value = await createFrom(flow.service, kind, connection, { ...source, stay: vscode.l10n.t('Leave It') });
  await created(flow, { connection, kind: name, id: value.id }, value);
}
