import * as vscode from 'vscode';
import type { MemoryStore } from '../../../client/resources/memoryStores';
import { askText } from '../../../common/asking/askSteps';
import { tabsOf } from '../../../common/documents/tabs';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { memoryPathProblem } from '../../../contract/memoryPath';
import { toLabel } from '../../../shared/text';
import { memoryStores } from '../kinds/memoryStores';
import { type ResourceFlow, retrieve } from '../resourceFlow';
import { describePathProblem, type MemoryLocation, toMemoryUri } from './memoryLocation';
import { type MemoryTarget, memoryOf, storeOf } from './memoryTarget';

/** Opens a memory in an editor, to read and change it. */
export async function openMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { location } = await memoryOf(flow, target, 'user');
  await showMemory(flow, location);
}

/** Shows a memory in an editor. Reading it is a request of the user, not a background request. */
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

/** Moves a memory to another path of its store. Saves the document of the memory first. */
export async function renameMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  flow.service.demand('userToChange');
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
