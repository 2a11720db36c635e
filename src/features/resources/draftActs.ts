import * as vscode from 'vscode';
import { askChoice } from '../../common/asking/askSteps';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { confirmModal } from '../../common/asking/confirmChange';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Draft, draftIdOf } from './definitions/drafts';
import { askNewDraft, readSource } from './documents/askNewDraft';
import { createFrom, publishDraft, showAgainstService } from './documents/publishDraft';
import { revertTabs, saveOpenDocuments } from './documents/publishSteps';
import { type ResourceLocation, toResourceUri } from './documents/resourceUri';
import { connectionToCreateOn, kindNamed, nameOf, type ResourceFlow, retrieve, toLocation } from './resourceFlow';
import type { Resource } from './resourceKind';

/** Creates a draft from a template, to be published later, or creates the resource directly from a workspace file. */
export async function createResource(flow: ResourceFlow, name: string): Promise<void> {
  const kind = kindNamed(name);
  const connection = await connectionToCreateOn(flow, kind);
  const begun = await askNewDraft(flow.service, kind, connection);
  await (begun === undefined ? createFromFile(flow, name, undefined) : openDraft(flow, begun));
}

/** Saves a draft of a resource that the service does not have yet, and opens its document. */
export async function openDraft(flow: ResourceFlow, draft: Draft): Promise<void> {
  await flow.drafts.save(draft);
  const { connection, kind, id: draftId, name } = draft;
  await flow.files.open({ view: 'new', connection, kind, draftId }, name);
}

/** Creates a resource from a file, after asking. The file stays unchanged. */
export async function createFromFile(flow: ResourceFlow, name: string, file: vscode.Uri | undefined): Promise<void> {
  const kind = kindNamed(name);
  const { name: connection } = await connectionToCreateOn(flow, kind);
  const source = await readSource(kind, file);
  const value = await createFrom(flow, kind, connection, source);
  await showCreated(flow, { connection, kind: name, id: value.id }, value);
}

async function showCreated(flow: ResourceFlow, reference: Reference, value: Resource): Promise<void> {
  flow.store.put(reference, value);
  await flow.files.open({ view: 'edit', reference }, nameOf(flow, reference));
}

/** Publishes the draft of a resource, or creates a resource from its draft. Returns the resource. See `publishDraft`. */
export async function publishResource(flow: ResourceFlow, target: unknown): Promise<Reference> {
  flow.service.demand('change');
  const location = await draftLocation(flow, target);
  await saveOpenDocuments(toResourceUri(location, ''));
  if (location.view === 'new') {
    const { connection, kind, draftId } = location;
    const draft = flow.drafts.find(draftId);
    if (draft === undefined) {
      throw new Error(vscode.l10n.t('This draft no longer exists. It may have been published or discarded in another window.'));
    }
    const value = await createFrom(flow, kindNamed(kind), connection, draft);
    const reference = { connection, kind, id: value.id };
    await showCreated(flow, reference, value);
    return reference;
  }
  const draft = flow.drafts.find(draftIdOf(location.reference));
  if (draft?.base === undefined) {
    throw new NothingToDoError(vscode.l10n.t("There's no draft. Change and save the document first."));
  }
  await publishDraft(flow, location.reference, draft);
  return location.reference;
}

/** Shows a diff of the draft and the current state on the service. */
export async function compareDraft(flow: ResourceFlow, target: unknown): Promise<void> {
  const location = await draftLocation(flow, target);
  if (location.view === 'new') {
    throw new NothingToDoError(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
  }
  const { reference } = location;
  const value = await retrieve(flow, await flow.service.reach(reference.connection, 'read'), reference);
  await showAgainstService(flow, reference, value);
}

/** Discards unpublished edits, after asking. */
export async function discardDraft(flow: ResourceFlow, target: unknown): Promise<void> {
  const { drafts, files } = flow;
  const location = await draftLocation(flow, target);
  const isNew = location.view === 'new';
  const draft = drafts.find(isNew ? location.draftId : draftIdOf(location.reference));
  if (draft === undefined) {
    throw new Error(vscode.l10n.t('It has no draft.'));
  }
  const button = vscode.l10n.t('Discard Draft');
  const detail = vscode.l10n.t("This can't be undone.");
  await confirmModal(vscode.l10n.t('Discard your draft of {0}?', toLabel(draft.name, 80)), detail, button);
  const uri = files.uriOf(location, draft.name);
  if (isNew) {
    await revertTabs(uri, true);
  }
  await drafts.remove(draft.id);
  if (!isNew) {
    files.touch(draft.id);
    await revertTabs(uri, false);
  }
}

/** Returns the draft that a command applies to: the draft of a row or document, or a draft that the user chooses. */
export async function draftLocation(
  flow: ResourceFlow,
  target: unknown,
): Promise<Extract<ResourceLocation, { readonly view: 'edit' | 'new' }>> {
  await flow.drafts.load();
  const location = toLocation(target === undefined ? vscode.window.activeTextEditor?.document.uri : target);
  if (location?.view === 'new' || location?.view === 'edit') {
    return location;
  }
  const connectionName = flow.service.connections.current?.name ?? '';
  const names = flow.store.kinds.map(({ kind }) => kind);
  const drafts = flow.drafts
    .of(connectionName)
    .filter(({ kind }) => (names.some(name => name === target) ? kind === target : names.includes(kind)));
  const choices = drafts.map(draft => ({
    label: `$(edit) ${withoutIcons(toLabel(draft.name, 80))}`,
    description: draft.resourceId === undefined ? vscode.l10n.t('Draft, not published') : withoutIcons(toLabel(draft.resourceId, 60)),
    value: draft,
  }));
  const { connection, kind, resourceId, id } = await askChoice({
    title: `${vscode.l10n.t('Drafts')} · ${toLabel(connectionName, 60)}`,
    placeholder: vscode.l10n.t('Select a draft'),
    choices,
    none: vscode.l10n.t("There's no draft. Change and save the document first."),
  });
  return resourceId === undefined
    ? { view: 'new', connection, kind, draftId: id }
    : { view: 'edit', reference: { connection, kind, id: resourceId } };
}
