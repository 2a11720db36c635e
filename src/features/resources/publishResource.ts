import * as vscode from 'vscode';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import type { Reference } from '../../contributions';
import { draftIdOfReference } from './definitions/resourceDrafts';
import { publishDraft, publishNew } from './documents/publishDraft';
import { saveOpenDocuments } from './documents/publishSteps';
import { toResourceUri } from './documents/resourceUri';
import { draftLocation, publishingOf } from './draftActs';
import { kindNamed, nameOf, type ResourceFlow } from './resourceFlow';
import type { Resource } from './resourceKind';

/** Publishes the draft of a resource, or creates a resource from its draft. See `publishDraft`. */
export async function publishResource(flow: ResourceFlow, target: unknown): Promise<void> {
  flow.service.demand('userToChange');
  const place = await draftLocation(flow, target);
  await saveOpenDocuments(toResourceUri(place, ''));
  if (place.view === 'new') {
    const kind = kindNamed(place.kind);
    const { connection, value } = await publishNew(flow.service, kind, flow.drafts, place.draftId, name => flow.files.uriOf(place, name));
    await created(flow, { connection, kind: kind.kind, id: value.id }, value);
    return;
  }
  const draft = flow.drafts.find(draftIdOfReference(place.reference));
  if (draft?.base === undefined) {
    throw new NothingToDoError(vscode.l10n.t("There's no draft. Change and save the document first."));
  }
  await publishDraft(publishingOf(flow, place.reference), draft);
}

/** Shows a newly created resource. */
export async function created(flow: ResourceFlow, reference: Reference, value: Resource): Promise<void> {
  flow.store.put(reference, value);
  await flow.files.open({ view: 'edit', reference }, nameOf(flow, reference));
}
