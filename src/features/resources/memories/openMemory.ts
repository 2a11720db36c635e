import * as vscode from 'vscode';
import type { MemoryStore } from '../../../client/schemas/memoryStores';
import { askText } from '../../../common/asking/askSteps';
import { tabsOf } from '../../../common/documents/tabs';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { memoryPathProblem } from '../../../contract/memoryPath';
import { toLabel } from '../../../shared/text';
import { memories, storeIdOf } from '../kinds/memories';
import { memoryStores } from '../kinds/memoryStores';
import { isReference } from '../reference';
import { type ResourceFlow, retrieve } from '../resourceFlow';
import { describePathProblem, type MemoryLocation, memoryLocationOf, memoryScheme, toMemoryUri } from './memoryLocation';
import { memoryOf, type MemoryTarget, storeOf } from './memoryTarget';

/** Opens a memory in an editor, to read and change it. */
export async function openMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { location } = await memoryOf(flow, target, 'user');
  await showMemory(flow, location);
}

/** Shows a memory in an editor because the user asked for it. */
export async function showMemory(
  flow: ResourceFlow,
  location: MemoryLocation,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const uri = toMemoryUri(location);
  await flow.memories.asked.during(uri, async () => {
    // As text, whatever its extension: no other editor may interpret the text of an agent.
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, ...options });
  });
}

/** Creates an empty memory at a path that the user enters, and opens it. */
export async function newMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  flow.service.demand('userToChange');
  const { connection, storeId, folder } = await storeOf(flow, target);
  const reached = await flow.service.reach(connection, 'userToChange');
  const store = (await retrieve(flow, reached, { connection, kind: memoryStores.kind, id: storeId })) as MemoryStore;
  const name = toLabel(memoryStores.name(store), 60);
  if (typeof store.archived_at === 'string') {
    throw new Error(vscode.l10n.t('{0} is archived and read-only.', name));
  }
  const location = { connection, storeId, path: await askPath(vscode.l10n.t('New Memory in {0}', name), folder) };
  const uri = toMemoryUri(location);
  await flow.memories.writeFile(uri, new Uint8Array(), { create: true, overwrite: false }).catch(error => {
    throw describeTaken(error, location.path);
  });
  await showMemory(flow, location, { preview: false });
}

/** Moves a memory, or a folder with its contents, to another path of its store. Saves the document of the memory first. */
export async function renameMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  flow.service.demand('userToChange');
  if (isReference(target) && target.kind === memories.kind && target.id.startsWith('/')) {
    await renameFolder(flow, { connection: target.connection, storeId: storeIdOf(target), path: target.id.replace(/\/$/, '') });
    return;
  }
  const { location } = await memoryOf(flow, target, 'userToChange');
  const wanted = { ...location, path: await askPath(vscode.l10n.t('Rename Memory'), location.path) };
  if (wanted.path === location.path) {
    return;
  }
  const [from, to] = [toMemoryUri(location), toMemoryUri(wanted)];
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === from.toString());
  if (open?.isDirty === true && !(await open.save())) {
    throw new Error(vscode.l10n.t('Save the memory first.'));
  }
  await flow.memories.rename(from, to, { overwrite: false }).catch(error => {
    throw describeTaken(error, wanted.path);
  });
  if (open !== undefined && !open.isClosed) {
    await vscode.window.tabGroups.close(tabsOf(from));
    await showMemory(flow, wanted);
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t('Renamed to {0}', withoutIcons(toLabel(wanted.path, 120))), 5000);
}

async function renameFolder(flow: ResourceFlow, location: MemoryLocation): Promise<void> {
  const wanted = { ...location, path: await askPath(vscode.l10n.t('Rename Folder'), location.path) };
  if (wanted.path === location.path) {
    return;
  }
  const isBelow = ({ uri }: vscode.TextDocument) => uri.scheme === memoryScheme && uri.path.startsWith(`${toMemoryUri(location).path}/`);
  const open = vscode.workspace.textDocuments.filter(isBelow).map(({ uri }) => uri);
  const inFront = vscode.window.activeTextEditor?.document;
  await flow.memories.moveFolder(location, wanted);
  for (const uri of open) {
    await vscode.window.tabGroups.close(tabsOf(uri));
  }
  if (inFront !== undefined && isBelow(inFront)) {
    await showMemory(flow, { ...wanted, path: `${wanted.path}${memoryLocationOf(inFront.uri).path.slice(location.path.length)}` });
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t('Renamed to {0}', withoutIcons(toLabel(wanted.path, 120))), 5000);
}

async function askPath(title: string, value: string): Promise<string> {
  const validate = (path: string) => {
    const problem = memoryPathProblem(path.normalize('NFC'));
    return problem === undefined ? undefined : describePathProblem(problem, vscode.l10n.t);
  };
  const prompt = vscode.l10n.t('Path, such as /notes/style.md');
  return (await askText({ title, prompt, placeholder: '/preferences.md', value, validate })).normalize('NFC');
}

function describeTaken(error: unknown, path: string): unknown {
  const isTaken = (error as { readonly code?: unknown }).code === 'FileExists';
  return isTaken ? new Error(vscode.l10n.t('{0} already exists.', toLabel(path, 120))) : error;
}
