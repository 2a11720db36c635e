import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import { confirmChange } from '../../common/asking/confirmChange';
import { askModal } from '../../common/asking/notifications';
import { copyIds } from '../../common/copyIds';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { type Reached, refuseUntrusted } from '../connection';
import { everyKind, kinds } from './kinds';
import { describeUses } from './kinds/dependents';
import { files } from './kinds/files';
import { memories } from './kinds/memoryStores';
import { toConflict } from './lists/resourceErrors';
import type { ResourceList } from './lists/resourceList';
import { kindNamed, listOf, nameOf, type ResourceFlow, referenceOf, retrieve, toGone } from './resourceFlow';
import { type ActName, abilityFor, actWords, isReference, type Resource, runActOf } from './resourceKind';

/** Runs an act on a resource, after asking: `archive`, `delete`, or an act specific to its kind. */
export async function runAct(flow: ResourceFlow, act: ActName, target: unknown): Promise<void> {
  refuseUntrusted('change');
  const fitting = everyKind.filter(({ acts }) => acts?.[act] !== undefined);
  const reference = await referenceOf(flow, target, fitting, abilityFor[act]);
  const reached = await flow.service.reach(reference.connection, 'change');
  const done = await performAct(flow, act, reached, reference);
  vscode.window.setStatusBarMessage(withoutIcons(done), 5000);
  await Promise.all([listOf(flow, reference), ...listsAbove(flow, reference)].map(list => list.refresh()));
}

/** Runs an act on one resource after asking, and updates its list. Returns the message to show afterwards. */
async function performAct(flow: ResourceFlow, name: ActName, { connection, client }: Reached, reference: Reference): Promise<string> {
  const translate = vscode.l10n.t;
  const kind = kindNamed(reference.kind);
  const { list } = listOf(flow, reference);
  const act = kind.acts?.[name];
  if (act === undefined) {
    throw new Error(translate("This action isn't available for {0}.", reference.id));
  }
  const current = await retrieve(flow, { connection, client }, reference);
  const label = kind.name(current);
  const words = actWords(name, label, translate);
  const { title, detail, button } = act.question?.(label, translate, current) ?? { ...words, detail: act.detail(translate, current) };
  await confirmChange(connection, { title, details: [await usesOf(flow, client, reference), detail], button });
  try {
    const value = await runActOf(kind, name, client, reference, current).catch(async (error: unknown) => {
      const instead = act.instead?.(error, label, translate);
      if (instead === undefined) {
        throw error;
      }
      await confirmChange(connection, { title: instead.title, details: [instead.detail], button: instead.button });
      return await instead.run(client, reference, current);
    });
    if (name === 'delete') {
      list.remove(connection.name, reference.id);
    } else {
      list.put(connection.name, value as Resource);
    }
    return words.done;
  } catch (error) {
    throw toGone(flow, reference, act.isGuarded === true ? toConflict(error, label, vscode.l10n.t) : error);
  }
}

/**
 * Returns the lists that contain the parents of a resource, on all levels. They need a refresh because a folder disappears with its last
 * member.
 */
function listsAbove(flow: ResourceFlow, { parent }: Reference): readonly ResourceList[] {
  return parent === undefined ? [] : [listOf(flow, parent), ...listsAbove(flow, parent)];
}

/** Describes what uses a resource. For files, searches only the request files of the workspace. */
async function usesOf(flow: ResourceFlow, client: ServiceClient, reference: Reference): Promise<string> {
  if (reference.kind === files.kind) {
    return await (await import('./serviceFiles/fileUses')).describeFileUses(reference.id);
  }
  return await describeUses(kindNamed(reference.kind), client, reference, flow.presentation());
}

/** Opens a resource: its editable document, or its page. */
export async function openResource(flow: ResourceFlow, target: unknown): Promise<void> {
  const reference = await referenceOf(flow, target, [...kinds, memories]);
  const kind = kindNamed(reference.kind);
  if (kind.kind === memories.kind) {
    await (await import('./memories/openMemory')).openMemory(flow, reference);
    return;
  }
  const value = flow.store.find(reference) ?? (await retrieve(flow, await flow.service.reach(reference.connection, 'read'), reference));
  const abilities = kind.row(value, flow.presentation()).abilities.split(' ');
  const other = kind.opens?.(value, reference);
  if (other !== undefined) {
    await openResource(flow, other);
    return;
  }
  if (kind.definition !== undefined && abilities.includes('editable')) {
    await flow.files.open({ view: 'edit', reference }, kind.name(value), { preview: kind.definition.isReadonly === true });
    return;
  }
  if (kind.content !== undefined && abilities.includes('readable')) {
    if (!(await (await import('./documents/openContent')).openContent(flow, reference, kind.name(value), kind.content))) {
      await offerDownload(flow, reference);
    }
    return;
  }
  await showPage(flow, reference);
}

/** Reports that a content can't be shown, and offers to download a file. */
async function offerDownload(flow: ResourceFlow, reference: Reference): Promise<void> {
  const problem = vscode.l10n.t("This content can't be shown here.");
  const download = vscode.l10n.t('Download...');
  if ((await askModal(problem, {}, ...(reference.kind === files.kind ? [download] : []))) === download) {
    await (await import('./serviceFiles/readFile')).downloadServiceFile(flow, reference);
  }
}

/** Shows the page of a resource in VS Code's Markdown preview. */
export async function showPage(flow: ResourceFlow, target: unknown): Promise<void> {
  const reference = await referenceOf(flow, target, kinds);
  const uri = flow.files.uriOf({ view: 'page', reference }, nameOf(flow, reference));
  await flow.files.asked.during(uri, async () => {
    // The resource is read here, so that a failure is reported like any failure of a command.
    await retrieve(flow, await flow.service.reach(reference.connection, 'read'), reference);
    flow.files.readAgain(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  });
}

/** Shows the JSON of a resource as the service returned it, with secrets masked. */
export async function showJson(flow: ResourceFlow, target: unknown): Promise<void> {
  const reference = await referenceOf(flow, target, kinds);
  await retrieve(flow, await flow.service.reach(reference.connection, 'read'), reference);
  flow.files.readAgain(flow.files.uriOf({ view: 'json', reference }, nameOf(flow, reference)));
  await flow.files.open({ view: 'json', reference }, nameOf(flow, reference), { preview: true });
}

/** Copies the ID of a resource to the clipboard, or the IDs of all selected rows. */
export async function copyIdsOf(flow: ResourceFlow, target: unknown, selected: readonly unknown[] = []): Promise<void> {
  await copyIds(selected.length > 1 ? selected.filter(isReference).map(({ id }) => id) : [(await referenceOf(flow, target, kinds)).id]);
}
