import * as vscode from 'vscode';
import type { Memory, MemoryStore } from '../../../client/resources/memoryStores';
import { askText } from '../../../common/asking/askSteps';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { tabsOf } from '../../../common/documents/tabs';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { memoryPathProblem } from '../../../contract/memoryPath';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { refuseUntrusted, type Use } from '../../connection';
import { memories, memoryStores, storeIdOf } from '../kinds/memoryStores';
import { describeGone } from '../lists/resourceErrors';
import { nameOf, type ResourceFlow, referenceOf, retrieve } from '../resourceFlow';
import { isReference, plainReference } from '../resourceKind';
import { describePathProblem, type MemoryLocation, memoryLocationOf, memoryScheme, toMemoryUri } from './memoryLocation';

/** Opens a memory in an editor, to read and change it. */
export async function openMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const { location } = await memoryOf(flow, target, 'read');
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
    // Opened as text, whatever its extension, because no other editor may interpret the text of an agent.
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, ...options });
  });
}

/** Creates an empty memory at a path that the user enters, and opens it. */
export async function newMemory(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  refuseUntrusted('change');
  const { connection, storeId, folder } = await storeOf(flow, target);
  const reached = await flow.service.reach(connection, 'change');
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
  refuseUntrusted('change');
  const { location } = await memoryOf(flow, target, 'change');
  const wanted = { ...location, path: await askPath(vscode.l10n.t('Rename Memory'), location.path) };
  if (wanted.path === location.path) {
    return;
  }
  const [from, to] = [toMemoryUri(location), toMemoryUri(wanted)];
  const open = openDocumentOf(from);
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

/** Argument of a memory command: a row, a document, or nothing. */
export type MemoryTarget = Reference | vscode.Uri | undefined;

/**
 * Returns the memory that a command applies to. This is the given row or document, the active document, or a memory that the user chooses.
 * Throws an error with a message for the user if the memory is gone.
 */
export async function memoryOf(flow: ResourceFlow, target: MemoryTarget, use: Use) {
  const uri = target instanceof vscode.Uri ? target : target === undefined ? uriInFront() : undefined;
  if (uri !== undefined) {
    const location = memoryLocationOf(uri);
    const reached = await flow.service.reach(location.connection, use);
    const memory = await flow.memories.access.index.find(reached.client, location);
    if (typeof memory !== 'object') {
      throw new Error(describeGone(location.path, vscode.l10n.t));
    }
    return { location, memory, reached };
  }
  const reference = await referenceOf(flow, target, [memories]);
  const reached = await flow.service.reach(reference.connection, use);
  const memory: Memory = { type: 'memory', ...(await retrieve(flow, reached, reference)) };
  const location = { connection: reference.connection, storeId: storeIdOf(reference), path: memory.path ?? '' };
  flow.memories.access.index.note(location, memory);
  return { location, memory, reached };
}

/** A store, or a folder in it. */
export interface StoreFolder extends Omit<MemoryLocation, 'path'> {
  /** Name of the store, followed by the folder unless it is the whole store. On one line. */
  readonly label: string;
  /** Path of the folder, which starts and ends with `/`. */
  readonly folder: string;
}

/**
 * Returns the store that a command applies to, or a folder in it if the row of a folder was chosen. An active document selects its whole
 * store.
 */
export async function storeOf(flow: ResourceFlow, target: MemoryTarget): Promise<StoreFolder> {
  const uri = target instanceof vscode.Uri ? target : target === undefined ? uriInFront() : undefined;
  const reference =
    uri === undefined
      ? isReference(target)
        ? plainReference(target)
        : await referenceOf(flow, undefined, [memoryStores])
      : storeAt(memoryLocationOf(uri));
  const { connection } = reference;
  const storeId = storeIdOf(reference);
  const folder = reference.kind === memories.kind && reference.id.startsWith('/') ? reference.id : '/';
  const name = toLabel(nameOf(flow, storeAt({ connection, storeId })), 60);
  return { connection, storeId, folder, label: folder === '/' ? name : `${name} ${toLabel(folder, 120)}` };
}

function storeAt({ connection, storeId }: Omit<MemoryLocation, 'path'>): Reference {
  return { connection, kind: memoryStores.kind, id: storeId };
}

function uriInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === memoryScheme ? uri : undefined;
}
