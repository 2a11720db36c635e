import * as vscode from 'vscode';
import { askModal } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { draftIdOfReference } from './definitions/resourceDrafts';
import { revertTabs, showDiff } from './documents';
import { toShown } from './documents/resourceFiles';
import type { ResourcePlace } from './documents/resourceUri';
import { kinds } from './kinds';
import { kindNamed, placeGiven, type ResourceFlow, retrieve } from './resourceFlow';
import type { DefinitionTexts, KindDefinition, Resource, ResourceKind } from './resourceKind';

/** Kinds whose things are documents. */
const documented = kinds.filter(({ definition }) => definition !== undefined);

/** Shows the draft beside what the service has now. */
export async function compareDraft(flow: ResourceFlow, target: Reference | vscode.Uri | undefined): Promise<void> {
  const place = await draftPlace(flow, target, texts => texts.compare);
  if (place.view === 'new') {
    throw new Error(vscode.l10n.t('The service does not have it yet: there is nothing to compare it with.'));
  }
  const { reference } = place;
  const value = await retrieve(flow, await flow.service.reach(reference.connection, 'user'), reference);
  await showAgainstService(flow, reference, value);
}

/** Throws away what was not published, after asking. */
export async function discardDraft(flow: ResourceFlow, target: Reference | vscode.Uri | undefined): Promise<void> {
  const place = await draftPlace(flow, target, texts => texts.discard);
  const id = place.view === 'new' ? place.draftId : draftIdOfReference(place.reference);
  const draft = flow.drafts.find(id);
  if (draft === undefined) {
    throw new Error(vscode.l10n.t('It has no draft.'));
  }
  const discard = vscode.l10n.t('Discard Draft');
  const detail =
    place.view === 'new'
      ? vscode.l10n.t('The service does not have it: nothing of it remains.')
      : vscode.l10n.t('The document then shows what the service has. This cannot be undone.');
  if ((await askModal(vscode.l10n.t('Discard your draft of {0}?', toLabel(draft.name, 80)), { detail }, discard)) !== discard) {
    throw new CancelledError();
  }
  const isNew = place.view === 'new';
  const uri = flow.files.uriOf(place, draft.name);
  if (isNew) {
    await revertTabs(uri, true);
  }
  await flow.drafts.remove(id);
  if (!isNew) {
    flow.files.touch(id);
    await revertTabs(uri, false);
  }
}

/** A document that can be edited. */
export type EditedPlace = ResourcePlace & { readonly view: 'edit' | 'new' };

/** The draft that a command is about: a row, a document, or the user's choice among those that have one. */
export async function draftPlace(flow: ResourceFlow, target: unknown, question: (texts: DefinitionTexts) => string): Promise<EditedPlace> {
  await flow.drafts.load();
  const place = placeGiven(target) ?? (target === undefined ? placeGiven(vscode.window.activeTextEditor?.document.uri) : undefined);
  if (place?.view === 'new' || place?.view === 'edit') {
    return place;
  }
  const { translate } = flow.presentation();
  const ask = ({ definition }: ResourceKind) => (definition === undefined ? '' : question(definition.questions(translate)));
  const drafts = flow.drafts
    .of(flow.service.connections.current?.name ?? '')
    .filter(({ kind }) => documented.some(one => one.kind === kind));
  if (drafts.length === 0) {
    throw new Error(vscode.l10n.t('There are no drafts. Open something, change it and save it first.'));
  }
  const [first] = documented;
  const choices = drafts.map(draft => ({
    label: `$(edit) ${withoutIcons(toLabel(draft.name, 80))}`,
    description: draft.resourceId === undefined ? vscode.l10n.t('new, not published') : withoutIcons(toLabel(draft.resourceId, 60)),
    draft,
  }));
  const chosen = await vscode.window.showQuickPick(choices, { placeHolder: first === undefined ? '' : ask(first) });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  const { connection, kind, resourceId, id } = chosen.draft;
  return resourceId === undefined
    ? { view: 'new', connection, kind, draftId: id }
    : { view: 'edit', reference: { connection, kind, id: resourceId } };
}

/** Shows a draft beside what the service has. */
export async function showAgainstService(flow: ResourceFlow, reference: Reference, value: Resource): Promise<void> {
  const kind = kindNamed(reference.kind);
  const { ending } = definitionOf(kind);
  const name = kind.name(value);
  const left = flow.files.snapshot(`${name} (${vscode.l10n.t('service')}).${ending}.json`, toShown(kind, value).base.text);
  const right = flow.files.uriOf({ view: 'edit', reference }, name);
  await showDiff(left, right, vscode.l10n.t('{0}: the service ↔ your draft', name));
}

/** What documents of a kind are. Throws for a kind that has none. */
export function definitionOf(kind: ResourceKind): KindDefinition<Resource> {
  if (kind.definition === undefined) {
    throw new Error(`unreachable: ${kind.kind} has no document`);
  }
  return kind.definition;
}
