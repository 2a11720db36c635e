import * as vscode from 'vscode';
import { showInformation } from '../../common/asking/notifications';
import { CancelledError } from '../../common/cancellation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Definition, isEqual, parseDefinition, toDefinition, toDefinitionText, toPatch } from './definitions';
import { draftIdOfReference, type ResourceDraft } from './definitions/resourceDrafts';
import { bringTogether, closeDiffs, closeTabsOf, confirmBeside, isConflict, listNames, saveOpenDocuments } from './documents';
import type { ResourcePlace } from './documents/resourceUri';
import { toResourceUri } from './documents/resourceUri';
import { definitionOf, draftPlace, showAgainstService } from './draftActs';
import { kindNamed, nameOf, type ResourceFlow, retrieve, toGone } from './resourceFlow';
import type { KindDefinition, Resource, ResourceKind } from './resourceKind';

/**
 * Publishes a draft: shows what changes against what the service has now, asks, and sends only that. When somebody changed it since the
 * draft was begun, both changes are brought together first. Whatever fails, the draft stays.
 */
export async function publishResource(flow: ResourceFlow, target: Reference | vscode.Uri | undefined): Promise<void> {
  flow.service.demand('userToChange');
  const place = await draftPlace(flow, target, texts => texts.publish);
  await saveOpenDocuments(toResourceUri(place, ''));
  if (place.view === 'new') {
    await publishNew(flow, place);
    return;
  }
  const draft = flow.drafts.find(draftIdOfReference(place.reference));
  if (draft?.base === undefined) {
    throw new Error(vscode.l10n.t('There is nothing to publish: it has no draft. Open it, change it and save it first.'));
  }
  await publishDraft(flow, place.reference, draft);
}

async function publishDraft(flow: ResourceFlow, reference: Reference, begun: ResourceDraft): Promise<void> {
  const kind = kindNamed(reference.kind);
  const definition = definitionOf(kind);
  const { translate } = flow.presentation();
  let draft = begun;
  for (;;) {
    const reached = await flow.service.reach(reference.connection, 'userToChange');
    const latest = await retrieve(flow, reached, reference);
    draft = await upToDate(flow, reference, draft, latest);
    const wanted = read(draft.text, definition, translate);
    const before = toDefinition(definition.read(latest), definition);
    const problem = definition.problem(wanted, before, translate);
    if (problem !== undefined) {
      throw new Error(problem);
    }
    const { fields, changed } = toPatch(before, wanted);
    const name = kind.name(latest);
    if (changed.length === 0) {
      await flow.drafts.remove(draft.id);
      flow.files.touch(draft.id);
      void showInformation(vscode.l10n.t('Nothing to publish: the draft says the same as the service.'));
      return;
    }
    await showAgainstService(flow, reference, latest);
    const { publishDetail } = definition.questions(translate);
    const confirmed = await confirmBeside(
      vscode.l10n.t('Publish {0}?', name),
      vscode.l10n.t('Publish'),
      publishDetail(listNames(changed), reached.connection.name),
      vscode.l10n.t('Keep Editing'),
    );
    if (!confirmed) {
      throw new CancelledError();
    }
    // No version guards the change: what came while the question stood there is looked for once more.
    const now = await retrieve(flow, reached, reference);
    if (!isEqual(toDefinition(definition.read(now), definition), before)) {
      continue;
    }
    try {
      const data = await update(kind, reached.client, reference, fields);
      await published(flow, reference, draft, data);
      return;
    } catch (error) {
      if (!isConflict(error)) {
        throw toGone(flow, reference, error);
      }
      // Somebody was quicker: once more, from theirs on.
    }
  }
}

async function update(
  kind: ResourceKind,
  client: Parameters<ResourceKind['calls']>[0],
  reference: Reference,
  fields: object,
): Promise<Resource> {
  const calls = kind.calls(client, reference.parent);
  if (calls.update === undefined) {
    throw new Error(`unreachable: ${kind.kind} cannot be changed`);
  }
  return (await calls.update(reference.id, fields)).data;
}

/** The draft as it stands on what the service has: where that moved on, both changes are brought together. */
async function upToDate(flow: ResourceFlow, reference: Reference, draft: ResourceDraft, latest: Resource): Promise<ResourceDraft> {
  const kind = kindNamed(reference.kind);
  const definition = definitionOf(kind);
  const { translate } = flow.presentation();
  const theirs = toDefinition(definition.read(latest), definition);
  const base = read(draft.base?.text ?? '{}', { ...definition, required: [] }, translate);
  if (isEqual(base, theirs)) {
    return draft;
  }
  const name = kind.name(latest);
  const asText = (part: string, text: string) => flow.files.snapshot(`${name} (${part}).${definition.ending}.json`, text);
  let merged = draft;
  await bringTogether({
    base,
    mine: read(draft.text, definition, translate),
    theirs,
    title: vscode.l10n.t('{0} was changed on the service since you began your draft', name),
    theirsLabel: vscode.l10n.t('The Service'),
    diffTitle: vscode.l10n.t('{0}: when you began ↔ the service now', name),
    documents: () => ({
      base: asText(vscode.l10n.t('begun from'), draft.base?.text ?? ''),
      theirs: asText(vscode.l10n.t('service'), toDefinitionText(theirs)),
      mine: asText(vscode.l10n.t('draft'), draft.text),
      output: flow.files.uriOf({ view: 'edit', reference }, draft.name),
    }),
    keep: async definitionNow => {
      merged = { ...draft, base: { text: toDefinitionText(theirs) }, text: toDefinitionText(definitionNow), savedAt: Date.now() };
      await flow.drafts.save(merged);
      flow.files.touch(draft.id);
    },
  });
  return merged;
}

async function publishNew(flow: ResourceFlow, place: ResourcePlace & { readonly view: 'new' }): Promise<void> {
  const draft = flow.drafts.find(place.draftId);
  if (draft === undefined) {
    throw new Error(vscode.l10n.t('This draft is no longer there. It may have been published or discarded in another window.'));
  }
  const reference = await createFrom(flow, place.connection, kindNamed(place.kind), draft.text, vscode.l10n.t('Keep Editing'));
  await closeTabsOf(flow.files.uriOf(place, draft.name));
  await flow.drafts.remove(draft.id);
  await flow.files.open({ view: 'edit', reference }, nameOf(flow, reference));
}

/** Makes a new thing of a text, after asking; answers what was made. */
export async function createFrom(
  flow: ResourceFlow,
  connection: string,
  kind: ResourceKind,
  text: string,
  stay: string,
): Promise<Reference> {
  const definition = definitionOf(kind);
  const { translate } = flow.presentation();
  const wanted = read(text, definition, translate);
  const problem = definition.problem(wanted, undefined, translate);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  const reached = await flow.service.reach(connection, 'userToChange');
  const { create, createButton, createDetail } = definition.questions(translate);
  const name = toLabel(String(wanted.name), 80);
  if (!(await confirmBeside(create(name, reached.connection.name), createButton, createDetail, stay))) {
    throw new CancelledError();
  }
  const calls = kind.calls(reached.client, undefined);
  if (calls.create === undefined) {
    throw new Error(`unreachable: ${kind.kind} cannot be made`);
  }
  const { data } = await calls.create(wanted);
  flow.store.put({ connection, kind: kind.kind }, data);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Created {0}', withoutIcons(kind.name(data))), 5000);
  return { connection, kind: kind.kind, id: data.id };
}

async function published(flow: ResourceFlow, reference: Reference, draft: ResourceDraft, value: Resource): Promise<void> {
  const place = { view: 'edit', reference } as const;
  await flow.drafts.remove(draft.id);
  flow.files.seeResource(reference, value);
  flow.files.touch(draft.id);
  flow.store.put(reference, value);
  await closeDiffs(toResourceUri(place, ''));
  await flow.files.open(place, draft.name);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Published {0}', withoutIcons(kindNamed(reference.kind).name(value))), 5000);
}

/** The definition in a document. Throws what a person can mend. */
function read<T>(text: string, definition: KindDefinition<T>, translate: Parameters<KindDefinition<T>['questions']>[0]): Definition {
  const parsed = parseDefinition(text, definition);
  if ('definition' in parsed) {
    return parsed.definition;
  }
  switch (parsed.problem) {
    case 'notJson':
      throw new Error(vscode.l10n.t('The document is not valid JSON. Mend what the Problems view shows and publish again.'));
    case 'notAnObject':
      throw new Error(definition.questions(translate).notAnObject);
    case 'missing':
      throw new Error(vscode.l10n.t('The document needs a "{0}". Add it and publish again.', parsed.field));
  }
}
