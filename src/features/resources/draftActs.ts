import * as vscode from 'vscode';
import { askChoice } from '../../common/asking/askSteps';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { draftIdOfReference, type ResourceDraft } from './definitions/resourceDrafts';
import { discard } from './documents/askNewDraft';
import { type Publishing, showAgainstService } from './documents/publishDraft';
import type { ResourceLocation } from './documents/resourceUri';
import { kinds } from './kinds';
import { listOf, toLocation, type ResourceFlow, retrieve } from './resourceFlow';
import type { Resource } from './resourceKind';

/** Kinds whose resources have documents. */
export const documented = kinds.filter(({ definition }) => definition !== undefined);

/** Shows a diff of the draft and the current state on the service. */
export async function compareDraft(flow: ResourceFlow, target: unknown): Promise<void> {
  const place = await draftLocation(flow, target);
  if (place.view === 'new') {
    throw new NothingToDoError(vscode.l10n.t("This draft isn't on the service yet. Publish it first."));
  }
  const { reference } = place;
  const value = await retrieve(flow, await flow.service.reach(reference.connection, 'user'), reference);
  await showAgainstService(publishingOf(flow, reference), value);
}

/** Discards unpublished edits, after asking. */
export async function discardDraft(flow: ResourceFlow, target: unknown): Promise<void> {
  const place = await draftLocation(flow, target);
  const id = place.view === 'new' ? place.draftId : draftIdOfReference(place.reference);
  await discard(flow.drafts, id, {
    isNew: place.view === 'new',
    uriOf: name => flow.files.uriOf(place, name),
    touch: draftId => flow.files.touch(draftId),
  });
}

/** An editable document. */
export type EditableLocation = ResourceLocation & { readonly view: 'edit' | 'new' };

/** Returns the draft that a command is about: that of a row or document, or one that the user chooses. */
export async function draftLocation(flow: ResourceFlow, target: unknown): Promise<EditableLocation> {
  await flow.drafts.load();
  const place = toLocation(target) ?? (target === undefined ? toLocation(vscode.window.activeTextEditor?.document.uri) : undefined);
  if (place?.view === 'new' || place?.view === 'edit') {
    return place;
  }
  const named = documented.filter(({ kind }) => kind === target);
  const fitting = named.length > 0 ? named : documented;
  const drafts = flow.drafts.of(flow.service.connections.current?.name ?? '').filter(({ kind }) => fitting.some(one => one.kind === kind));
  const choices = drafts.map(draft => ({
    label: `$(edit) ${withoutIcons(toLabel(draft.name, 80))}`,
    description: draft.resourceId === undefined ? vscode.l10n.t('Draft, not published') : withoutIcons(toLabel(draft.resourceId, 60)),
    value: draft,
  }));
  const { connection, kind, resourceId, id } = await askChoice({
    title: `${vscode.l10n.t('Drafts')} · ${toLabel(flow.service.connections.current?.name ?? '', 60)}`,
    placeholder: vscode.l10n.t('Select a draft'),
    choices,
    none: vscode.l10n.t("There's no draft. Change and save the document first."),
  });
  return resourceId === undefined
    ? { view: 'new', connection, kind, draftId: id }
    : { view: 'edit', reference: { connection, kind, id: resourceId } };
}

/** Returns the parts that publishing a resource needs. */
export function publishingOf(flow: ResourceFlow, reference: Reference): Publishing<Resource, ResourceDraft> {
  const { files, service, drafts } = flow;
  const listing = listOf(flow, reference);
  const place = { view: 'edit', reference } as const;
  return {
    listing,
    reference,
    service,
    drafts,
    uriOf: name => files.uriOf(place, name),
    stateOf: ({ text }, name, part) => files.snapshot(`${name} (${part}).${listing.kind.definition?.ending ?? ''}.json`, text),
    snapshot: (name, text) => files.snapshot(name, text),
    open: name => files.open(place, name),
    touch: id => files.touch(id),
    see: value => files.seeResource(reference, value),
  };
}
