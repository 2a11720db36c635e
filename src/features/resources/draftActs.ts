import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import { askChoice, askId, separator } from '../../common/asking/askSteps';
import { confirmModal } from '../../common/asking/confirmChange';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Connection, refuseUntrusted } from '../connection';
import { type Definition, toDefinitionText } from './definitions/definitionText';
import { type Draft, draftIdOf } from './definitions/drafts';
import { type CreateSource, createFrom, definitionOf, publishDraft, showAgainstService } from './documents/publishDraft';
import { revertTabs, saveOpenDocuments, textOf } from './documents/publishSteps';
import { type ResourceLocation, toResourceUri } from './documents/resourceUri';
import { connectionToCreateOn, kindNamed, nameOf, type ResourceFlow, retrieve, toLocation } from './resourceFlow';
import { type Need, namedIn, type Resource, type ResourceKind } from './resourceKind';
import type { Service } from './service';

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
  refuseUntrusted('change');
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

/** Asks how to start a new resource. Returns a draft from a template, or `undefined` for a workspace file. */
async function askNewDraft(service: Pick<Service, 'reach'>, kind: ResourceKind, connection: Connection): Promise<Draft | undefined> {
  const definition = definitionOf(kind);
  const translate = vscode.l10n.t;
  const template = await askChoice<Definition | 'file'>({
    title: kind.title(translate),
    placeholder: translate('Select a template for {0}', connection.name),
    choices: [
      ...definition.templates(translate, dialects[connection.dialect]).map(({ label, description, definition: value }) => ({
        label: `$(${kind.icon}) ${label}`,
        description,
        value,
      })),
      separator(''),
      {
        label: `$(file-code) ${translate('From Workspace File...')}`,
        description: `*.${definition.ending}.json`,
        value: 'file',
      },
    ],
  });
  return template === 'file'
    ? undefined
    : newDraft(kind, connection.name, await withNeeds(service, connection.name, template, definition.needs));
}

/** Returns a draft of a resource that the service does not have yet. */
export function newDraft(kind: ResourceKind, connection: string, wanted: Definition): Draft {
  const name = namedIn(wanted, definitionOf(kind));
  return { id: randomUUID(), connection, kind: kind.kind, name, text: toDefinitionText(wanted), savedAt: Date.now() };
}

async function withNeeds(
  service: Pick<Service, 'reach'>,
  connection: string,
  template: Definition,
  needs: readonly Need[] = [],
): Promise<Definition> {
  const translate = vscode.l10n.t;
  let wanted = template;
  for (const need of needs) {
    const { client } = await service.reach(connection, 'read');
    const choices = await need.choices(client, { translate }, wanted);
    if (choices === undefined) {
      continue;
    }
    if (choices.length === 0 && need.typed !== undefined) {
      const id = await askId({ title: need.question(translate), prompt: need.none(translate) });
      wanted = { ...wanted, ...need.typed(id) };
      continue;
    }
    const fields = await askChoice({
      title: translate('Resources'),
      placeholder: need.question(translate),
      choices: choices.map(({ label, description, icon, fields: value }) => ({
        label: `$(${icon}) ${withoutIcons(label)}`,
        description: withoutIcons(description),
        value,
      })),
      none: need.none(translate),
    });
    wanted = { ...wanted, ...fields };
  }
  return wanted;
}

/**
 * Returns the content of the file to create a resource from. This is the given file, the active file if its name fits, or a file that the
 * user chooses.
 */
async function readSource(kind: ResourceKind, file: vscode.Uri | undefined): Promise<CreateSource> {
  const { ending } = definitionOf(kind);
  const active = vscode.window.activeTextEditor?.document.uri;
  const isMeant = active?.path.endsWith(`.${ending}.json`) === true;
  const source = file ?? (isMeant ? active : undefined) ?? (await pickDefinitionFile(`.${ending}.json`));
  const text = await textOf(source, vscode.l10n.t('The file is larger than {0}.', '4 MB'));
  return { text, location: toLabel(vscode.workspace.asRelativePath(source), 100) };
}

async function pickDefinitionFile(ending: string): Promise<vscode.Uri> {
  const files = await vscode.workspace.findFiles(`**/*${ending}`, '**/node_modules/**', 1000);
  const choices = files
    .map(uri => ({ label: toLabel(vscode.workspace.asRelativePath(uri)), value: uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return await askChoice({
    title: vscode.l10n.t('Files'),
    placeholder: vscode.l10n.t('Select a file'),
    choices,
    none: vscode.l10n.t('No file in the workspace ends in {0}.', ending),
  });
}
